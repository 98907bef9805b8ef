import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { createCatchUp } from "#core/rollups/catch-up.ts";
import { keepRolledUp } from "#core/rollups/keep.ts";
import { readOverview } from "#core/rollups/overview.ts";
import { rollUp } from "#core/rollups/roll-up.ts";
import { verifyRollups } from "#core/rollups/verify.ts";
import { readNumbers } from "#core/waitlist/report-numbers.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
afterEach(async () => {
  await emptyWaitlist(context.db);
  while ((await rollUp(context.db)) === "behind");
});

const EXACT = { wrongTimes: 0, wrongDomains: 0, wrongSpellings: 0 };

/** In one snapshot, as `waitlist verify` does it. */
function verify() {
  return context.db.transaction().setIsolationLevel("repeatable read").execute(verifyRollups);
}

let count = 0;
/** With totals and companies, as the statement that writes sign-ups keeps them. */
async function join(people: number, db = context.db): Promise<void> {
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
      insert into companies as company select company_key, count(*) from joined where company_key is not null group by 1
      on conflict (key) do update set sign_ups = company.sign_ups + excluded.sign_ups
    )
    update totals set users = users + ${people} where slot = totals_slot()`.execute(db);
}

const CHANGES = {
  confirmed: sql`update sign_ups set confirmed_at = now() where id % 2 = 0`,
  invited: sql`update sign_ups set invited_at = now() where id % 3 = 0`,
  uninvited: sql`update sign_ups set invited_at = null where id % 6 = 0`,
  rejected: sql`update sign_ups set rejected_at = now() where id % 7 = 0`,
  unsubscribed: sql`update sign_ups set newsletter = not newsletter`,
  "with another company": sql`update sign_ups set company = 'Initech', company_key = 'initech' where id % 4 = 0`,
  "without a company": sql`update sign_ups set company = null, company_key = null where id % 4 = 0`,
  erased: sql`delete from sign_ups where id % 5 = 0`,
  "changed in ways that nothing counts": sql`update sign_ups set mail_due = true, last_name = 'King'`,
};

test.each(Object.entries(CHANGES))(
  "stay exact when people are %s, before and after they are added up",
  async (_, change) => {
    await join(40);
    expect(await rollUp(context.db)).toBe("done");
    await join(20);
    await change.execute(context.db);
    expect(await verify()).toEqual(EXACT);
    await rollUp(context.db);
    expect(await verify()).toEqual(EXACT);
    const { rows } = await sql`select from rollup_changes`.execute(context.db);
    expect(rows).toEqual([]);
  },
);

test("the overview has the numbers of the report, which counts everyone", async () => {
  await join(300);
  for (const step of ["all from the list", "rolled up", "with changes"]) {
    if (step === "rolled up") await rollUp(context.db);
    if (step === "with changes") {
      await CHANGES.confirmed.execute(context.db);
      await CHANGES.invited.execute(context.db);
      await join(30);
    }
    const overview = await readOverview(context.db, "all");
    const report = await readNumbers(context.db);
    const { signUps, confirmed, invited, newsletter, rejected } = report;
    expect(overview, step).toMatchObject({ uncounted: 0, people: signUps, confirmed, invited, newsletter, rejected });
    expect(overview.funnel).toEqual({ joined: signUps, confirmed, invited });
    expect(overview.intervals).toEqual(report.days.map(({ from, signUps: joined }) => ({ from, joined })));
    const ranked = (rows: { name: string; signUps: number }[]) =>
      rows.map(({ name, signUps: people }) => ({ name, people }));
    expect(overview.topDomains).toEqual(ranked(report.topDomains));
    expect(overview.topCompanies).toEqual(ranked(report.topCompanies));
    const named = overview.sources.filter(({ source }) => source);
    expect(
      named.map(({ source, medium, campaign, joined }) => ({ source, medium, campaign, signUps: joined })),
    ).toEqual(report.topSources);
  }
});

test("a range has an entry for each interval, and only people who joined in it", async () => {
  await join(100);
  const { rows } = await sql<{ recent: number }>`
    select count(*) filter (where joined_at >= date_trunc('hour', now()) - interval '23 hours')::integer as recent
    from sign_ups`.execute(context.db);
  const day = await readOverview(context.db, "24h");
  expect(day.intervals).toHaveLength(24);
  expect(day.funnel.joined).toBe(rows[0]?.recent);
  expect(day.intervals.reduce((sum, { joined }) => sum + joined, 0)).toBe(day.funnel.joined);
  expect(day.sources.reduce((sum, { joined }) => sum + joined, day.otherSources.joined)).toBe(day.funnel.joined);
  expect((await readOverview(context.db, "7d")).intervals).toHaveLength(28);
  expect((await readOverview(context.db, "30d")).intervals).toHaveLength(30);
});

test("a sign-up that commits after one with a higher id is counted once", async () => {
  const client = await context.db.pool.connect();
  await client.query("begin");
  await client.query(`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter)
    values ('slow@example.com', 'slow@example.com', 'A', 'A', false)`);
  await join(5);
  expect(await rollUp(context.db)).toBe("behind");
  await client.query("commit");
  client.release();
  expect(await verify()).toEqual(EXACT);
  expect(await rollUp(context.db)).toBe("done");
  expect(await verify()).toEqual(EXACT);
  const { rows } = await sql`select people from mail_domains where domain = 'example.com'`.execute(context.db);
  expect(rows).toEqual([{ people: 1 }]);
});

test("stay exact while people join and change and several processes roll up", async () => {
  let isJoining = true;
  const rolling = Array.from({ length: 3 }, async () => {
    const outcomes = new Set<string>();
    while (isJoining) outcomes.add(await rollUp(context.db, 25));
    return outcomes;
  });
  const changing = Object.values(CHANGES).map(async (change) => {
    while (isJoining) {
      await change.execute(context.db).catch((reason) => {
        if (!/deadlock/.test(String(reason))) throw reason;
      });
    }
  });
  const checks = [];
  for (let round = 0; round < 15; round += 1) {
    await join(20);
    checks.push(await verify());
  }
  isJoining = false;
  const outcomes = await Promise.all(rolling);
  await Promise.all(changing);
  expect(new Set(outcomes.flatMap((one) => [...one]))).toContain("busy");
  expect(new Set(checks.map((check) => JSON.stringify(check)))).toEqual(new Set([JSON.stringify(EXACT)]));
  while ((await rollUp(context.db)) === "behind");
  expect(await verify()).toEqual(EXACT);
});

test("a process that is killed while it rolls up leaves nothing half counted", async () => {
  await join(50);
  const { db } = context;
  const killed = await db.transaction().execute(async (transaction) => {
    await sql`lock table company_names in exclusive mode`.execute(transaction);
    const rolling = rollUp(db).then(
      () => "survived",
      () => "killed",
    );
    await untilBlocked(db);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    return { rolling };
  });
  expect(await killed.rolling).toBe("killed");
  expect(await verify()).toEqual(EXACT);
  expect(await rollUp(db)).toBe("done");
  expect(await verify()).toEqual(EXACT);
});

test("a server rolls up by itself, outlives a failure and ends when it is stopped", async () => {
  const errors: unknown[] = [];
  const server = keepRolledUp(context.db, (reason) => errors.push(reason), 20);
  await sql`alter table rollup_state rename to rollup_state_away`.execute(context.db);
  await expect.poll(() => errors).not.toEqual([]);
  await sql`alter table rollup_state_away rename to rollup_state`.execute(context.db);
  await join(30);
  const readDomains = () => context.db.selectFrom("mail_domains").select("people").execute();
  await expect.poll(readDomains).toEqual([{ people: 10 }, { people: 10 }, { people: 10 }]);
  await server.stop();
  await join(30);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await readDomains()).toHaveLength(3);
  expect((await readDomains())[0]).toEqual({ people: 10 });
});

test("an erased person leaves no domain, company or campaign behind", async () => {
  await sql`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter, company, company_key, utm)
    values ('a@own.example', 'a@own.example', 'A', 'A', false, 'Own', 'own', '{"source": "own"}')`.execute(context.db);
  await rollUp(context.db);
  await sql`delete from sign_ups`.execute(context.db);
  await rollUp(context.db);
  for (const table of ["sign_ups_by_time", "mail_domains", "company_names", "rollup_changes"] as const) {
    expect(await context.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  }
});

test("says how many people aren't counted when it is far behind, and catches up in the background", async () => {
  await join(5001);
  const behind = await readOverview(context.db, "all");
  expect(behind).toMatchObject({ people: 5001, uncounted: 5001, confirmed: 0 });
  const catchUp = createCatchUp(context.db);
  catchUp.start();
  const uncounted = async () => (await readOverview(context.db, "all")).uncounted;
  await expect.poll(uncounted, { timeout: 20_000 }).toBe(0);
  await catchUp.stop();
  expect(await verify()).toEqual(EXACT);
});
