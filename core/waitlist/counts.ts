import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** Counts of people on the list by status, in quarantine, and erased. */
export interface Counts {
  /** Joined in the last 24 hours. */
  lastDay: number;
  lastWeek: number;
  newsletter: number;
  confirmed: number;
  invited: number;
  /** Permanently, by their mail server. */
  rejected: number;
  /** Subscribed to news once, and no longer. */
  unsubscribed: number;
  quarantined: number;
  erased: number;
}

export async function readCounts(db: Kysely<Tables>): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      count(*) filter (where joined_at > now() - interval '24 hours')::integer as "lastDay",
      count(*) filter (where joined_at > now() - interval '7 days')::integer as "lastWeek",
      count(*) filter (where newsletter)::integer as newsletter,
      count(confirmed_at)::integer as confirmed,
      count(invited_at)::integer as invited,
      count(rejected_at)::integer as rejected,
      (
        select count(distinct sign_up_id) from consents join sign_ups on id = sign_up_id where not newsletter
      )::integer as unsubscribed,
      (select count(*) from quarantine)::integer as quarantined,
      (select count(*) from erasures)::integer as erased
    from sign_ups`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error("The count returned no row");
  return counts;
}
