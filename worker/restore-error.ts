import { DatabaseError } from "pg";

/** pg-boss's work() emits copies of errors, which have lost their class, and with it whether the database is down. */
export function restoreError(copy: Error): Error {
  if (copy instanceof Error) return copy;
  const { message, severity } = copy as { message: string; severity?: string };
  const error = severity ? new DatabaseError(message, message.length, "error") : new Error(message);
  return Object.assign(error, copy);
}
