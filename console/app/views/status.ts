import type { Person } from "#console/contract.ts";

/** A person's status, as a one-word label. */
export function statusOf({
  confirmedAt,
  invitedAt,
  rejectedAt,
}: Pick<Person, "confirmedAt" | "invitedAt" | "rejectedAt">): { name: string; tone: string } {
  if (rejectedAt) return { name: "Rejected", tone: "bad" };
  if (invitedAt) return { name: "Invited", tone: "accent" };
  if (confirmedAt) return { name: "Confirmed", tone: "good" };
  return { name: "Joined", tone: "quiet" };
}
