import { DatabaseError } from "pg";

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

/** Two transactions met; the same one tried again will succeed. */
export function isTransient(reason: unknown): boolean {
  return (
    reason instanceof DatabaseError && (reason.code === SERIALIZATION_FAILURE || reason.code === DEADLOCK_DETECTED)
  );
}

/**
 * The database can't be asked at the moment, and may be later: no connection (08), it met others once too often (40), no
 * resources (53), an operator stepped in or a statement took too long (57), the system failed (58), or it is a standby
 * (25006). The driver's own errors carry the socket's code, or nothing but a message.
 */
export function isUnavailable(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  const { code = "" } = reason as { code?: string };
  if (reason instanceof DatabaseError) return /^(08|40|53|57|58|25006)/.test(code);
  return (
    /^E[A-Z_]+$/.test(code) ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Client (has encountered|was closed))/.test(
      reason.message,
    )
  );
}

/** The data itself can't be stored: a data exception (22), a broken constraint (23), a value too large (54). */
export function isBadData(reason: unknown): boolean {
  return reason instanceof DatabaseError && /^(22|23|54)/.test(reason.code ?? "");
}

/** It is there and won't have us: a wrong password or role (28), no such database (3D). */
export function isAccessDenied(reason: unknown): boolean {
  return reason instanceof DatabaseError && /^(28|3D)/.test(reason.code ?? "");
}
