/** Preloaded by the drill of overload: a server whose queue holds as much as its control writes at once. */
import { changeSource } from "./change-source.ts";

changeSource("server/main.ts", [["MAX_WAITING = 10_000", "MAX_WAITING = 50"]]);
