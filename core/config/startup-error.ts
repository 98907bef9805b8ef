import { type Fault, faultOf, PooledConnection } from "#core/database/faults.ts";

/** The program can't start, and the message says how to fix it. No stack trace, because it isn't a bug. */
export class StartupError extends Error {}

const unreachable = (message: string) => `The database can't be reached: ${message}. Check DATABASE_URL.`;

/** Bugs have no explanation, because their stack trace is worth seeing. */
const EXPLANATIONS: Record<Fault, ((message: string, port?: number) => string) | undefined> = {
  "port taken": (_, port) => `Port ${port} is already in use. Stop the other process, or set another port.`,
  port: (message, port) => `Can't listen on port ${port}: ${message}. Set another port or address.`,
  file: (message) => `Can't access a file or folder: ${message}`,
  forbidden: (message) =>
    `The database refused: ${message}. Check the role in DATABASE_URL; "waitlist migrate", run by the owner of the tables, grants the privileges.`,
  "unknown outcome": (message) => `${message}. Check whether it was made before repeating it.`,
  pooled: () => new PooledConnection().message,
  untrusted: (message) =>
    `The database's certificate can't be verified: ${message}. In DATABASE_URL, set sslmode=verify-full, sslrootcert=<the CA's file>, and the certificate's host name.`,
  "locked out": (message) => `The database refused the connection: ${message}. Check DATABASE_URL.`,
  unreachable,
  conflict: unreachable,
  timeout: unreachable,
  schema: undefined,
  "bad data": undefined,
  bug: undefined,
};

/** Why the program or command can't do its work, in one sentence; undefined for a bug. */
export function explainFault(reason: unknown): string | undefined {
  if (reason instanceof StartupError) return reason.message;
  if (!(reason instanceof Error)) return undefined;
  return EXPLANATIONS[faultOf(reason)]?.(messageOf(reason), (reason as { port?: number }).port);
}

/** For a host name with several addresses, Node throws an AggregateError without a message. */
export function messageOf(reason: Error): string {
  return reason instanceof AggregateError ? String(reason.errors[0]?.message) : reason.message;
}
