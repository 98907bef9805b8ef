import { sql } from "kysely";
import { afterEach } from "vitest";
import type { Database } from "#core/database/connect.ts";
import { rollUp } from "#core/rollups/roll-up.ts";
import { verifyRollups } from "#core/rollups/verify.ts";
import { emptyWaitlist } from "./empty-waitlist.ts";
import { useTestDatabase } from "./test-database.ts";

export const EXACT = { wrongTimes: 0, wrongDomains: 0, wrongSpellings: 0 };

interface RollupsTest {
  context: { url: string; db: Database };
  /** With totals and companies, as the statement that writes sign-ups keeps them. */
  join(people: number): Promise<void>;
  /** In one snapshot, as `waitlist verify` does it. */
  verify(): ReturnType<typeof verifyRollups>;
}

/** For a whole test file: a list that is empty, and rolled up, after each test. */
export function useRollups(): RollupsTest {
  const context = useTestDatabase();
  afterEach(async () => {
    await emptyWaitlist(context.db);
    while ((await rollUp(context.db)) === "behind");
  });

  let count = 0;
  async function join(people: number): Promise<void> {
    const from = count + 1;
    count += people;
    await sql`
      with joined as (
        insert into sign_ups (email_key, email, first_name, last_name, company, company_key, newsletter, utm, joined_at)
        select
          'p' || i || '@mail' || i % 3 || '.example', 'p' || i, 'Ada', 'Lovelace',
          case i % 5 when 0 then null when 1 then 'ACME' else 'Acme' || i % 5 end,
          case i % 5 when 0 then null when 1 then 'acme2' else 'acme' || i % 5 end,
          i % 2 = 0,
          case when i % 4 > 0 then jsonb_build_object('source', 'news' || i % 4, 'campaign', 'launch') end,
          now() - make_interval(hours => i % 50)
        from generate_series(${from}::integer, ${count}::integer) as i
        returning company_key
      ), counted as (
        insert into companies as company
        select company_key, count(*) from joined where company_key is not null group by 1
        on conflict (key) do update set sign_ups = company.sign_ups + excluded.sign_ups
      )
      update totals set users = users + ${people} where slot = totals_slot()`.execute(context.db);
  }

  const verify = () => context.db.transaction().setIsolationLevel("repeatable read").execute(verifyRollups);
  return { context, join, verify };
}
