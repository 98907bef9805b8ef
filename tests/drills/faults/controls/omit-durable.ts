/** Preloaded by a negative control: a server whose duplicates and retries don't wait for the standby. */
import { Client, type QueryConfig } from "pg";
import { DURABLE } from "#core/database/durability.ts";

const omit = (text: string) => text.replaceAll(DURABLE, "'0/0'::pg_lsn");
const query = Client.prototype.query as (statement: unknown, ...rest: unknown[]) => unknown;
Client.prototype.query = function (this: Client, statement: string | QueryConfig, ...rest: unknown[]) {
  const changed = typeof statement === "string" ? omit(statement) : { ...statement, text: omit(statement.text) };
  return query.call(this, changed, ...rest);
} as Client["query"];
