/** Preloaded by a negative control: a server that ends at once when it is told to stop. */
import { changeSource } from "./change-source.ts";

changeSource("core/service/run-service.ts", [["service.stop();", "process.exit();"]]);
