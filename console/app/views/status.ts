import type { Person } from "#console/contract/people.ts";

export function statusOf(person: Pick<Person, "confirmedAt" | "invitedAt" | "acceptedAt" | "suppressedAt">) {
  if (person.suppressedAt) return { name: "Suppressed", tone: "bad" };
  if (person.acceptedAt) return { name: "Accepted", tone: "good" };
  if (person.invitedAt) return { name: "Invited", tone: "accent" };
  if (person.confirmedAt) return { name: "Confirmed", tone: "good" };
  return { name: "Joined", tone: "quiet" };
}
