/** Preloaded by a negative control: a server that doesn't see PostgreSQL's warnings. */
import { Client } from "pg";

const { emit } = Client.prototype;
Client.prototype.emit = function (event: string, ...args: unknown[]) {
  return event !== "notice" && emit.call(this, event, ...args);
};
