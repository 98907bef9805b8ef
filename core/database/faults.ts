import { DatabaseError } from "pg";

/** Whether it is an error of PostgreSQL's with one of these codes; the first two characters are the class. */
function hasCode(reason: unknown, codes: RegExp): boolean {
  return reason instanceof DatabaseError && codes.test(reason.code ?? "");
}

/** Two transactions conflicted, by a serialization failure or a deadlock; a retry will succeed. */
export const isTransient = (reason: unknown) => hasCode(reason, /^(40001|40P01)$/);

/** The commit may not survive a failover, because its wait for a synchronous standby was canceled. */
export class UnknownOutcome extends Error {
  override name = "UnknownOutcome";

  constructor() {
    super("PostgreSQL stopped waiting for its standby, so the change may be lost in a failover");
  }
}

/** We connect through a pooler, which doesn't pass a client's session settings on to PostgreSQL. */
export class PooledConnection extends Error {
  override message =
    "DATABASE_URL leads through a pooler such as PgBouncer, which loses our timeouts and, in transaction mode, mixes up sessions. Connect to PostgreSQL directly: each program has its own pool.";
}

/** PgBouncer itself refuses our session settings, unless it is configured to ignore them. */
export function isPooled(reason: Error): boolean {
  return reason instanceof PooledConnection || reason.message.startsWith("unsupported startup parameter");
}

/** A broken socket, an unreachable host, or durability.ts refusing our role. Not every `E…`: bugs and files have one too. */
const SOCKET_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|EPROTO|ERR_SSL_\w+|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_\w+|EROLE)$/;

/** Rejected without trying, because the database is down. */
export class CircuitOpen extends Error {
  override name = "CircuitOpen";
}

/**
 * The database is unavailable but may recover: no connection (08), conflicts on every retry (40), out of resources
 * (53), an operator's intervention or a statement timeout (57), a system error (58), or a read-only standby (25006).
 * The driver's own errors carry the socket's code, or only a message.
 */
export function isUnavailable(reason: unknown): boolean {
  if (reason instanceof UnknownOutcome || reason instanceof CircuitOpen) return true;
  if (!(reason instanceof Error) || isPooled(reason) || isUntrusted(reason)) return false;
  const { code = "", syscall } = reason as NodeJS.ErrnoException;
  if (reason instanceof DatabaseError) return /^(08|40|53|57|58|25006)/.test(code);
  return (
    SOCKET_CODES.test(code) ||
    // Also for want of a file descriptor, or of PostgreSQL's own socket.
    syscall === "connect" ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Client (has encountered|was closed))/.test(
      reason.message,
    )
  );
}

/** The data can't be stored: a data exception (22), a constraint violation (23), a value too large (54). */
export const isBadData = (reason: unknown) => hasCode(reason, /^(22|23|54)/);

/** The database is up but rejects us: a wrong password or role (28), no such database (3D). */
export const isAccessDenied = (reason: unknown) => hasCode(reason, /^(28|3D)/);

/** The database's certificate is from an unknown CA, for another host name, or expired. */
export function isUntrusted(reason: Error): boolean {
  return /CERT|SIGNATURE/.test(String((reason as NodeJS.ErrnoException).code));
}

export const isForbidden = (reason: unknown) => hasCode(reason, /^42501$/);

/** A statement exceeded its timeout, or was canceled. */
export const isCanceled = (reason: unknown) => hasCode(reason, /^57014$/);
