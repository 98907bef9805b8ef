/** Preloaded by a negative control: a server that takes every retry for a duplicate. */
import { changeSource } from "./change-source.ts";

changeSource("core/sign-ups/write-batch.ts", [["if (duplicates.length === 0) return", "if (duplicates) return"]]);
