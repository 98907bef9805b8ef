import { DatabaseError } from "pg";

/** The commit may not survive a failover, because its wait for a synchronous standby was canceled. */
export class UnknownOutcome extends Error {
  override name = "UnknownOutcome";
  override message = "PostgreSQL stopped waiting for its standby, so the change may be lost in a failover";
}

/** We connect through a pooler, which doesn't pass a client's session settings on to PostgreSQL. */
export class PooledConnection extends Error {
  override message =
    "DATABASE_URL leads through a pooler such as PgBouncer, which loses our timeouts and, in transaction mode, mixes up sessions. Connect to PostgreSQL directly: each program has its own pool.";
}

/** A session in which a commit could be acknowledged before it is on disk. */
export class UnsafeRole extends Error {
  override message = "This role's synchronous_commit isn't on; reset it with ALTER ROLE";
}

/** Rejected without trying, because the database is down. */
export class CircuitOpen extends Error {
  override name = "CircuitOpen";
}

/** The first four outages may end by themselves; the others last until someone changes a setting or the database. */
const OUTAGES = ["unreachable", "conflict", "timeout", "unknown outcome", "locked out", "untrusted", "pooled"] as const;

type Outage = (typeof OUTAGES)[number];
export type Fault = Outage | "port taken" | "port" | "file" | "forbidden" | "schema" | "bad data" | "bug";

/** The first match decides. Two characters match a class of codes. */
const SQLSTATES: [Fault, RegExp][] = [
  // A serialization failure or a deadlock: a retry will succeed.
  ["conflict", /^(40001|40P01)$/],
  // A statement exceeded its timeout, or was canceled.
  ["timeout", /^57014$/],
  // No connection, out of resources, an operator's intervention, a system error, or a read-only standby.
  ["unreachable", /^(08|40|53|57|58|25006)/],
  // A wrong password, a locked role, or no such database.
  ["locked out", /^(28|3D)/],
  ["forbidden", /^42501$/],
  // The statement doesn't fit the tables.
  ["schema", /^42/],
  // A data exception, a constraint violation, or a value too large.
  ["bad data", /^(22|23|54)/],
];

/** A broken socket or an unreachable host. Not every `E…` code, because bugs and file errors have them too. */
const SOCKET_CODES =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|EPROTO|ERR_SSL_\w+|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|ENOTFOUND|EAI_\w+)$/;
/** The driver's own errors have a message, but no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client (has encountered|was closed))/;

/** The only place that decides whether an error is an outage, a refusal or a bug. */
export function faultOf(reason: unknown): Fault {
  if (!(reason instanceof Error)) return "bug";
  if (reason instanceof UnknownOutcome) return "unknown outcome";
  if (reason instanceof CircuitOpen || reason instanceof UnsafeRole) return "unreachable";
  const { code = "", syscall, message } = reason as NodeJS.ErrnoException;
  // PgBouncer itself refuses our session settings, unless it is configured to ignore them.
  if (reason instanceof PooledConnection || message.startsWith("unsupported startup parameter")) return "pooled";
  if (reason instanceof DatabaseError) return SQLSTATES.find(([, codes]) => codes.test(code))?.[0] ?? "bug";
  if (syscall === "listen") return code === "EADDRINUSE" ? "port taken" : "port";
  // Node's file errors carry the path.
  if ("path" in reason) return "file";
  // A certificate from an unknown CA, for another host name, or expired.
  if (/CERT|SIGNATURE/.test(code)) return "untrusted";
  // Connecting also fails if no file descriptor is free or PostgreSQL's Unix socket is missing.
  const isUnreachable = SOCKET_CODES.test(code) || syscall === "connect" || DRIVER_MESSAGES.test(message);
  return isUnreachable ? "unreachable" : "bug";
}

/** Whether the database can't be used, for now or until someone changes something. */
export const isOutage = (reason: unknown) => OUTAGES.some((fault) => fault === faultOf(reason));
