import { sql } from "kysely";
import { expect, test } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { readCounts } from "#core/overview/count.ts";
import { countFunnel } from "#core/overview/funnel.ts";
import { createOverview } from "#core/overview/overview.ts";
import type { Range } from "#core/overview/ranges.ts";
import { addJoined, type JoinedAt, joinedAt } from "#tests/support/joined-at.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Midnight UTC twenty days ago. */
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS - 20 * DAY_MS;

const join = (...rows: JoinedAt[]) => addJoined(context.db, rows);

async function read(range: Range, db: Database = context.db) {
  const overview = createOverview(db);
  return overview.read(range).finally(() => overview.stop());
}

test("an empty list has an entry of zero for each interval", async () => {
  for (const [range, intervals] of Object.entries({ "24h": 24, "7d": 28, "30d": 30, all: 14 }) as [Range, number][]) {
    const overview = await read(range);
    expect(overview).toMatchObject({ people: 0, countedAt: null, range: { funnel: { joined: 0 }, sources: [] } });
    expect(overview.range?.intervals.map(({ joined }) => joined)).toEqual(Array(intervals).fill(0));
  }
  // Figures counted live aren't stored.
  expect(await context.db.selectFrom("overview_figures").selectAll().execute()).toEqual([]);
});

test("counts match the list and use UTC days in any session time zone", async () => {
  const acme = { company_key: "acme", newsletter: true };
  await join(
    joinedAt(START + DAY_MS - 1, { ...acme, company: "Acme Inc.", utm: { source: "news", campaign: "launch" } }),
    joinedAt(START + DAY_MS, { ...acme, company: "Acme", utm: { source: "news", campaign: "launch", term: "a" } }),
    joinedAt(START + DAY_MS + HOUR_MS, { ...acme, company: "Acme", utm: { medium: "mail" } }),
    joinedAt(START + 5 * DAY_MS, { company: "Umbrella", company_key: "umbrella", utm: { term: "only" } }),
    joinedAt(Date.now() - 30 * HOUR_MS, { email_key: '"a@b"@mail.example' }),
    // Joined in the future, because a server's clock ran ahead.
    joinedAt(Date.now() + DAY_MS, { company: "n/a" }),
  );
  const { joined_at, ...bot } = joinedAt(0, { website: "https://spam.example" });
  await context.db
    .insertInto("quarantine")
    .values({ website: "", ...bot })
    .execute();
  await sql`update sign_ups set invited_at = now(), confirmed_at = now() where company_key = 'acme'`.execute(
    context.db,
  );

  // A time zone with daylight saving, whose date differs from UTC's for hours every day.
  const database = sql.id(new URL(context.url).pathname.slice(1));
  await sql`alter database ${database} set timezone to 'America/New_York'`.execute(context.db);
  const db = connect(context.url);
  const { range, ...overview } = await read("all", db).finally(() => db.destroy());
  expect(overview).toMatchObject({
    people: 6,
    quarantined: 1,
    lastWaveAt: null,
    states: { confirmed: 3, invited: 3, newsletter: 3, suppressed: 0, waiting: 0 },
  });
  const none = { views: 0, confirmed: 0, invited: 0, accepted: 0 };
  const { funnel, companies, domains, sources, otherSources } = range ?? {};
  expect(funnel).toMatchObject({ joined: 6, confirmed: 3, invited: 3 });
  const counted = [...(companies ?? []), ...(domains ?? [])].map(({ name, people }) => `${name}: ${people}`);
  expect(counted).toEqual(["Acme: 3", "Umbrella: 1", "example.com: 5", "mail.example: 1"]);
  expect(sources).toMatchObject([
    { source: null, medium: null, campaign: null, joined: 3, ...none },
    { source: "news", medium: null, campaign: "launch", joined: 2, confirmed: 2, invited: 2 },
    { source: null, medium: "mail", campaign: null, joined: 1, confirmed: 1, invited: 1 },
  ]);
  expect(otherSources).toMatchObject({ joined: 0, ...none });
  const days = range?.intervals.map(({ from, joined }) => [Date.parse(from), joined]) ?? [];
  expect(days).toHaveLength(21);
  expect(days.slice(0, 6)).toEqual([1, 2, 0, 0, 0, 1].map((joined, day) => [START + day * DAY_MS, joined]));
  expect(days.at(-1)?.[1]).toBe(1);
});

test("every number of a range counts only people who joined in it, like `waitlist status`", async () => {
  const utm = (index: number) => ({ source: `news${index % 13}` });
  const ages = Array.from({ length: 250 }, (_, index) => index);
  await join(...ages.map((age) => joinedAt(Date.now() - age * HOUR_MS, { utm: utm(age) })));
  const { lastDay } = await readCounts(context.db);
  expect((await read("7d")).range?.funnel).toEqual(await countFunnel(context.db, "7d"));
  const { range } = await read("24h");
  if (!range) throw new Error("Not counted");
  const sum = (rows: { joined: number }[]) => rows.reduce((total, { joined }) => total + joined, 0);
  expect([range.funnel.joined, lastDay]).toEqual([24, 24]);
  expect(range.sources).toHaveLength(10);
  expect(sum(range.intervals)).toBe(24);
  expect(sum([...range.sources, range.otherSources])).toBe(24);
  expect(range.domains).toEqual([{ name: "example.com", people: 24 }]);
});

test("each interval is compared with the same one of the previous period, up to the same time", async () => {
  const at = (ms: number, count: number) => Array.from({ length: count }, () => joinedAt(Date.now() - ms));
  await join(...at(HOUR_MS, 3), ...at(DAY_MS + HOUR_MS, 2), ...at(DAY_MS - 10_000, 1), ...at(2 * DAY_MS + HOUR_MS, 7));
  const { range } = await read("24h");
  const before = range?.intervals.map((interval) => interval.before) ?? [];
  expect(range?.intervals.at(-2)).toMatchObject({ joined: 3, before: 2 });
  expect(before.reduce((sum, people) => sum + people, 0)).toBe(2);
  const all = (await read("all")).range?.intervals ?? [];
  expect(all.every((interval) => interval.before === 0)).toBe(true);
});

test("counts people who could be invited, and shows when a wave last was that isn't taken back or one person", async () => {
  const waves = [1, 2, 3].map((day) => ({ invited_at: new Date(START + day * DAY_MS) }));
  const [several, one, takenBack] = await context.db.insertInto("waves").values(waves).returning("id").execute();
  const confirmed_at = new Date();
  const suppressed = { confirmed_at, suppressed_at: new Date() };
  const invited = { confirmed_at, invited_at: new Date() };
  const people = [
    ...[{ confirmed_at }, suppressed, {}],
    ...[several, several, one].map((wave) => ({ ...invited, wave_id: wave?.id })),
    ...[takenBack, takenBack].map((wave) => ({ wave_id: wave?.id })),
  ];
  await join(...people.map((values) => joinedAt(Date.now(), values)));
  const lastWaveAt = waves[0]?.invited_at;
  expect(await read("7d")).toMatchObject({ lastWaveAt, states: { confirmed: 5, waiting: 1 } });
});
