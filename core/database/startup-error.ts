import { faultOf, PooledConnection } from "./faults.ts";

/** The program can't start, and the message says how to fix it. No stack trace, because it isn't a bug. */
export class StartupError extends Error {}

/** Why the program or command can't do its work, in one sentence. Undefined for a bug, whose stack trace is worth seeing. */
export function explainFault(reason: unknown): string | undefined {
  if (reason instanceof StartupError) return reason.message;
  if (!(reason instanceof Error)) return undefined;
  const message = messageOf(reason);
  const { port } = reason as { port?: number };
  switch (faultOf(reason)) {
    case "port taken":
      return `Port ${port} is already in use. Stop the other process, or set another port.`;
    case "port":
      return `Can't listen on port ${port}: ${message}. Set another port or address.`;
    case "file":
      return `Can't access a file or folder: ${message}`;
    case "forbidden":
      return `The database refused: ${message}. Check the role in DATABASE_URL; "waitlist migrate", run by the owner of the tables, grants the privileges.`;
    case "unknown outcome":
      return `${message}. Check whether it was made before repeating it.`;
    case "pooled":
      return new PooledConnection().message;
    case "untrusted":
      return `The database's certificate can't be verified: ${message}. In DATABASE_URL, set sslmode=verify-full, sslrootcert=<the CA's file>, and the certificate's host name.`;
    case "locked out":
      return `The database refused the connection: ${message}. Check DATABASE_URL.`;
    case "unreachable":
    case "conflict":
    case "timeout":
      return `The database can't be reached: ${message}. Check DATABASE_URL.`;
    case "schema":
    case "bad data":
    case "bug":
      return undefined;
  }
}

/** For a host name with several addresses, Node throws an AggregateError without a message. */
export function messageOf(reason: Error): string {
  return reason instanceof AggregateError ? String(reason.errors[0]?.message) : reason.message;
}
