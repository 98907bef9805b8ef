import { type RawBuilder, sql } from "kysely";

/** Columns of sign_ups that say since when someone is in a state. Quarantined people are in another table. */
const SINCE = {
  confirmed: "confirmed_at",
  invited: "invited_at",
  /** Used their invitation, which can't be taken back any more. */
  accepted: "accepted_at",
  /** Gets no mail: the address bounced, or its owner or an operator wants none. */
  suppressed: "suppressed_at",
  /** In line: confirmed, and neither invited nor suppressed. The database computes it. */
  waiting: "line_at",
  /** Not on the list: not counted, listed, mailed, invited or exported. Erasing, consent and suppression still apply. */
  setAside: "set_aside_at",
};
type State = keyof typeof SINCE;

/**
 * Whether someone is in a state: for Kysely's `sql`, and in a string for prepared statements. An IS NULL test, like the
 * partial indexes' predicates.
 */
export function isIn(state: State, is = true) {
  const text = `${SINCE[state]} is ${is ? "not null" : "null"}`;
  return Object.assign(sql.raw<boolean>(text), { toString: () => text });
}

/** Whether someone is on the list. Everything that counts, lists, mails or invites people asks this. */
export const isListed = isIn("setAside", false);

/** Given a time, counts only people who were in the state by then. */
export function countIn(state: State, by?: RawBuilder<Date>): RawBuilder<number> {
  const since = sql.ref(SINCE[state]);
  return sql`count(${since}) ${by ? sql`filter (where ${since} < ${by})` : sql``}::integer`;
}

/** Whether someone was subscribed and no longer is. */
export const hasWithdrawn = sql<boolean>`
  (not newsletter and exists (select from consents where sign_up_id = sign_ups.id and not given))`;
