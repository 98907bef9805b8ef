import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** How many of the list are what, and how many are no longer on it. */
export interface Counts {
  /** Of the 24 hours before. */
  lastDay: number;
  lastWeek: number;
  newsletter: number;
  confirmed: number;
  invited: number;
  /** By their mail server, for good. */
  rejected: number;
  /** Those who wanted news once and no longer do. */
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
  if (!counts) throw new Error("The count answered nothing");
  return counts;
}
