import { DatabaseError } from "pg";
import { type DestinationStream, type Logger, pino } from "pino";

/** What gets into the log of a request and of an error: never who it was, and never what they typed. */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  return pino({ level, serializers: { req: describeRequest, err: describeError } }, stream);
}

function describeRequest({ method, url }: { method: string; url: string }) {
  return { method, path: url.split("?", 1)[0] };
}

/**
 * By name, because errors carry more than they say: PostgreSQL's the row that failed, Redis' the command with its
 * password. And PostgreSQL's own words may quote a value.
 */
export function describeError(error: Error) {
  const { code } = error as { code?: string };
  if (error instanceof DatabaseError) {
    const { table, column, constraint, routine } = error;
    return { type: error.name, code, message: "", stack: "", table, column, constraint, routine };
  }
  return { type: error.name, code, message: error.message, stack: error.stack ?? "" };
}
