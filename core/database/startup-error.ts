import {
  isAccessDenied,
  isForbidden,
  isPooled,
  isUnavailable,
  isUntrusted,
  PooledConnection,
  UnknownOutcome,
} from "./faults.ts";

/** The program can't start, and the message says how to fix it. No stack trace, because it isn't a bug. */
export class StartupError extends Error {}

/** Why the program can't start, in one sentence. Undefined for a bug, whose stack trace is worth seeing. */
export function explainStartupError(reason: unknown): string | undefined {
  if (reason instanceof StartupError) return reason.message;
  if (!(reason instanceof Error)) return undefined;
  return explainRefusal(reason) ?? explainUnreachable(reason);
}

/** Why a port, a file or the database refuses us; undefined for any other error. */
export function explainRefusal(reason: Error): string | undefined {
  const { code, syscall, port } = reason as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `Port ${port} is already in use. Stop the other process, or set another port.`;
  if (syscall === "listen") return `Can't listen on port ${port}: ${reason.message}. Set another port or address.`;
  // Node's file errors carry the path.
  if ("path" in reason) return `Can't access a file or folder: ${reason.message}`;
  if (!isForbidden(reason)) return undefined;
  return `The database refused: ${reason.message}. Check the role in DATABASE_URL; "waitlist migrate", run by the owner of the tables, grants the privileges.`;
}

/** Why the database can't be reached or can't confirm a change; undefined for any other error. */
export function explainUnreachable(reason: Error): string | undefined {
  if (reason instanceof UnknownOutcome) return `${reason.message}. Check whether it was made before repeating it.`;
  if (isPooled(reason)) return new PooledConnection().message;
  if (isUntrusted(reason))
    return `The database's certificate can't be verified: ${reason.message}. In DATABASE_URL, set sslmode=verify-full, sslrootcert=<the CA's file>, and the certificate's host name.`;
  if (isAccessDenied(reason)) return `The database refused the connection: ${reason.message}. Check DATABASE_URL.`;
  return isUnavailable(reason) ? `The database can't be reached: ${messageOf(reason)}. Check DATABASE_URL.` : undefined;
}

/** For a host name with several addresses, Node throws an AggregateError without a message. */
export function messageOf(reason: Error): string {
  return reason instanceof AggregateError ? String(reason.errors[0]?.message) : reason.message;
}
