import { DatabaseError } from "pg";
import { type DestinationStream, type Logger, pino } from "pino";

/** Logs requests and errors without personal data: never who it was, never what they typed. */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  return pino({ level, serializers: { req: describeRequest, err: describeError } }, stream);
}

/** One line when an outage of the database starts and one when it is over. */
export function outageLog(log: Logger) {
  return {
    onOutage: (reason: Error) => log.error(reason, "Database outage: writes are refused until it is over"),
    onRecovery: (seconds: number) => log.warn({ seconds }, "Database outage over"),
  };
}

function describeRequest({ method, url }: { method: string; url: string }) {
  return { method, path: url.split("?", 1)[0] };
}

/**
 * An allowlist, because errors carry more than a message: PostgreSQL's has the row that failed, Redis' the command with
 * its password. PostgreSQL's message is dropped too, because it may quote a value.
 */
export function describeError(error: Error) {
  const { code } = error as { code?: string };
  if (error instanceof DatabaseError) {
    const { table, column, constraint, routine } = error;
    return { type: error.name, code, message: "", stack: "", table, column, constraint, routine };
  }
  return { type: error.name, code, message: error.message, stack: error.stack ?? "" };
}
