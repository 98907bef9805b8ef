import { type Kysely, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { STATE_COUNTS, type StateCounts } from "./count.ts";
import { joinedIn } from "./ranges.ts";

/** Counts of people on the list by status, in quarantine, and erased. */
export interface Counts extends StateCounts {
  /** Joined in the last 24 hours. */
  lastDay: number;
  lastWeek: number;
  /** Subscribed to news once, and no longer. */
  unsubscribed: number;
  quarantined: number;
  erased: number;
}

export async function readCounts(db: Kysely<Tables>): Promise<Counts> {
  const counted = await sql<Counts>`
    select
      count(*) filter (where ${joinedIn("24h")})::integer as "lastDay",
      count(*) filter (where ${joinedIn("7d")})::integer as "lastWeek",
      ${STATE_COUNTS},
      (
        select count(distinct sign_up_id) from consents join sign_ups on id = sign_up_id where not newsletter
      )::integer as unsubscribed,
      (select count(*) from quarantine)::integer as quarantined,
      (select count(*) from erasures)::integer as erased
    from sign_ups`.execute(db);
  return onlyRow(counted);
}
