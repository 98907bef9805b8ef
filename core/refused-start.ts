import { isAccessDenied, isUnavailable } from "#core/database/faults.ts";

/** The program can't start like this, and the message says what to do. No stack: nothing is wrong with the code. */
export class RefusedStart extends Error {}

/** What stopped a start, in one sentence; undefined where it is a fault of ours, whose stack is worth seeing. */
export function explainRefusal(reason: unknown): string | undefined {
  if (reason instanceof RefusedStart) return reason.message;
  if (!(reason instanceof Error)) return undefined;
  const { code, port } = reason as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `Port ${port} is taken. Stop what listens there, or set another port.`;
  if (isUnavailable(reason) || isAccessDenied(reason)) return `${describeUnreachable(reason)} Check DATABASE_URL.`;
  return undefined;
}

/** Where a name has several addresses, Node says why for each of them, and nothing of its own. */
export function describeUnreachable(reason: Error): string {
  const said = reason instanceof AggregateError ? String(reason.errors[0]?.message) : reason.message;
  return `The database can't be reached: ${said}.`;
}
