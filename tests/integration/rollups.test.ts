import { sql } from "kysely";
import { expect, test } from "vitest";
import { readOverview } from "#core/rollups/overview.ts";
import { rollUp } from "#core/rollups/roll-up.ts";
import { readNumbers } from "#core/waitlist/report-numbers.ts";
import { EXACT, useRollups } from "#tests/support/rollups.ts";

const { context, join, verify } = useRollups();

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
