/** Preloaded by a negative control: a server whose statements have no timeout. */
import { changeSource } from "./change-source.ts";

changeSource("core/database/connect.ts", [
  ["...(timeoutMs && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 300 }),", ""],
]);
