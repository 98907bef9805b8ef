/** Preloaded by a negative control: a server whose connections and statements have no timeout. */
import { changeSource } from "./change-source.ts";

changeSource("core/database/connect.ts", [
  ["...(timeoutMs && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 300 }),", ""],
  ["connectionTimeoutMillis: timeoutMs ? 1000 : 5000,", ""],
]);
