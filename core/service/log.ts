import { DatabaseError } from "pg";
import { type DestinationStream, type LogFn, type Logger, pino } from "pino";
import { faultOf } from "#core/database/faults.ts";

/** Logs requests and errors without personal data, such as addresses or form fields. */
export function createLogger(level: string, stream?: DestinationStream): Logger {
  const serializers = { req: describeRequest, err: describeError };
  return pino({ level, serializers, hooks: { logMethod: logWithoutDatabaseMessage } }, stream);
}

/** pino and Fastify log an error's message as the line's text, which the serializer can't change. */
function logWithoutDatabaseMessage(this: Logger, args: Parameters<LogFn>, log: LogFn): void {
  const [subject, message] = args as unknown[];
  const error = subject instanceof Error ? subject : (subject as { err?: unknown } | undefined)?.err;
  if (error instanceof DatabaseError && (message === undefined || message === error.message)) {
    log.call(this, subject as object, "Database error");
  } else {
    log.apply(this, args);
  }
}

export function outageLog(log: Logger) {
  return {
    onOutage: (err: Error, reqId: string) =>
      log.error({ err, reqId }, "Database outage: writes are refused until it is over"),
    onRecovery: (seconds: number) => log.warn({ seconds }, "Database outage over"),
  };
}

function describeRequest({ method, url }: { method: string; url: string }) {
  return { method, path: url.split("?", 1)[0] };
}

/**
 * An allowlist, because errors carry more than a message: PostgreSQL's contain the failed row, and Redis's the command
 * with its password. PostgreSQL's message may quote a value, so it is dropped too, unless it is about the statement or
 * our role: values are parameters, so such a message can name only tables, columns, functions and roles.
 */
export function describeError(error: Error) {
  const { name: type, message, stack = "" } = error;
  const { code } = error as { code?: string };
  if (error instanceof DatabaseError) {
    const { table, column, constraint, routine } = error;
    const isAboutUs = ["schema", "forbidden", "locked out"].includes(faultOf(error));
    const [, ...frames] = stack.split(message);
    const safe = { message: isAboutUs ? message : "", stack: frames.join("") };
    return { type, code, ...safe, table, column, constraint, routine };
  }
  return { type, code, message, stack };
}
