import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { byDomain, bySpelling, byTime, listedPeople, pendingPeople, TIME_COLUMNS } from "./pending.ts";
import { readPosition } from "./roll-up.ts";

/** How many rows of each rollup, with what is still pending, differ from a full count. */
export interface RollupCheck {
  wrongTimes: number;
  wrongDomains: number;
  wrongSpellings: number;
}

/** Reads the caller's snapshot, so that it may run while people join and the rollups advance. */
export async function verifyRollups(snapshot: Kysely<Tables>): Promise<RollupCheck> {
  const from = (await readPosition(snapshot))?.from ?? "0";
  const everyone = listedPeople("0", "all");
  const pending = pendingPeople(from, true);
  const count = (query: RawBuilder<unknown>) => countWrong(snapshot, query);
  return {
    wrongTimes: await count(sql`
      select span from (
        select ${TIME_COLUMNS} from sign_ups_by_time union all ${byTime(pending)}
        union all
        select span, starts_at, source, medium, campaign, -joined, -confirmed, -invited, -newsletter, -rejected
        from (${byTime(everyone)}) as counted
      ) as both_counts
      group by span, starts_at, source, medium, campaign
      having (sum(joined), sum(confirmed), sum(invited), sum(newsletter), sum(rejected)) <> (0, 0, 0, 0, 0)`),
    wrongDomains: await count(sql`
      select domain from (
        select domain, people from mail_domains union all ${byDomain(pending)}
        union all select domain, -people from (${byDomain(everyone)}) as counted
      ) as both_counts
      group by domain having sum(people) <> 0`),
    wrongSpellings: await count(sql`
      select key from (
        select key, company, people from company_names union all ${bySpelling(pending)}
        union all select key, company, -people from (${bySpelling(everyone)}) as counted
      ) as both_counts
      group by key, company having sum(people) <> 0`),
  };
}

async function countWrong(snapshot: Kysely<Tables>, wrong: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${wrong}) as wrong`.execute(snapshot);
  return rows[0]?.count ?? 0;
}
