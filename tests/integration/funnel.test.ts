import { sql } from "kysely";
import { expect, test } from "vitest";
import { countRange } from "#core/overview/count.ts";
import { countFunnel } from "#core/overview/funnel.ts";
import { addJoined, joinedAt } from "#tests/support/joined-at.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Adds people who joined this long ago. */
async function join(age: number, people: number, changes: object = {}): Promise<void> {
  await addJoined(
    context.db,
    Array.from({ length: people }, () => joinedAt(Date.now() - age, changes)),
  );
}

async function view(age: number, views: number, { source = "", isOther = false, isPartial = false } = {}) {
  await sql`
    insert into page_views
    values (date_trunc('hour', now() - ${age} * interval '1 ms', 'UTC'), ${source}, '', '', ${isOther}, ${views}, ${isPartial})
    on conflict (hour, source, medium, campaign, is_other) do update set views = page_views.views + excluded.views`.execute(
    context.db,
  );
}

const NONE = { views: 0, joined: 0, confirmed: 0, invited: 0, accepted: 0, hasPartialViews: false };
const ago = (age: number) => new Date(Date.now() - age);

test("views and people of a campaign are counted together, and what has no campaign or isn't listed apart", async () => {
  const confirmed_at = ago(2 * HOUR_MS);
  const invited_at = ago(HOUR_MS);
  await view(5 * HOUR_MS, 40);
  await view(5 * HOUR_MS, 60, { source: "news" });
  await view(4 * HOUR_MS, 30, { source: "news" });
  await view(4 * HOUR_MS, 500, { source: "ad" });
  await view(4 * HOUR_MS, 7, { isOther: true });
  await view(8 * DAY_MS, 1000, { source: "news" });
  const utm = { source: "news" };
  await join(3 * HOUR_MS, 1, { utm, confirmed_at, invited_at, accepted_at: new Date() });
  await join(3 * HOUR_MS, 1, { utm: { ...utm, term: "a" }, confirmed_at, invited_at });
  await join(3 * HOUR_MS, 2, { utm, confirmed_at });
  await join(3 * HOUR_MS, 3);
  await join(3 * HOUR_MS, 1, { utm: { source: "rare" } });
  const { funnel, sources, otherSources } = await countRange(context.db, "7d", 2);
  const names = { medium: null, campaign: null };
  expect(sources).toEqual([
    { ...names, source: "news", views: 90, joined: 4, confirmed: 4, invited: 2, accepted: 1, hasPartialViews: false },
    { ...names, ...NONE, source: null, views: 40, joined: 3 },
    { ...names, ...NONE, source: "ad", views: 500 },
  ]);
  expect(otherSources).toEqual({ ...NONE, views: 7, joined: 1 });
  expect(funnel).toEqual({ ...NONE, views: 637, joined: 8, confirmed: 4, invited: 2, accepted: 1 });
  expect(await countFunnel(context.db, "7d")).toEqual(funnel);
});

test("a campaign is listed if it is among the ten largest by any step", async () => {
  for (const index of Array(12).keys()) await join(HOUR_MS, 2, { utm: { source: `many${index}` } });
  await join(HOUR_MS, 1, {
    utm: { source: "few" },
    confirmed_at: new Date(),
    invited_at: new Date(),
    accepted_at: new Date(),
  });
  await view(HOUR_MS, 9, { source: "viewed" });
  const { sources, otherSources } = await countRange(context.db, "7d", 1);
  expect(sources.map(({ source }) => source)).toEqual([
    ...["many0", "many1", "many10", "many11", "many2", "many3", "many4", "many5", "many6", "many7"],
    "few",
    "viewed",
  ]);
  expect(otherSources.joined).toBe(4);
});

test("a campaign's views are partial if a cache answered for some of its hours", async () => {
  await view(2 * DAY_MS, 5, { source: "news", isPartial: true });
  await view(HOUR_MS, 5, { source: "news" });
  await view(HOUR_MS, 5, { source: "ad" });
  const { funnel, sources, otherSources } = await countRange(context.db, "7d", 1);
  expect(funnel.hasPartialViews).toBe(true);
  expect(sources).toMatchObject([
    { source: "news", hasPartialViews: true },
    { source: "ad", hasPartialViews: false },
  ]);
  expect(otherSources).toEqual(NONE);
  expect((await countRange(context.db, "24h", 1)).funnel.hasPartialViews).toBe(false);
});

test("views are partial if someone joined before views were counted", async () => {
  await join(3 * DAY_MS, 1);
  expect(await countFunnel(context.db, "7d")).toEqual({ ...NONE, joined: 1 });
  await view(2 * DAY_MS, 5);
  await join(HOUR_MS, 1);
  expect(await countFunnel(context.db, "7d")).toEqual({ ...NONE, views: 5, joined: 2, hasPartialViews: true });
  expect(await countFunnel(context.db, "24h")).toEqual({ ...NONE, joined: 1 });
});

test("of the period before counts only what had happened by the same age", async () => {
  const before = DAY_MS + 2 * HOUR_MS;
  await view(before + HOUR_MS, 20);
  await view(3 * DAY_MS, 1);
  await join(before, 1, { confirmed_at: ago(before - HOUR_MS), invited_at: ago(DAY_MS + HOUR_MS / 2) });
  // A day ago, this person had only joined; their later states must not count.
  await join(before, 1, { confirmed_at: ago(DAY_MS - HOUR_MS), invited_at: ago(HOUR_MS), accepted_at: ago(0) });
  await join(DAY_MS - 10_000, 1);
  await join(2 * HOUR_MS, 1, { confirmed_at: new Date() });
  const { funnel, before: counted } = await countRange(context.db, "24h", 1);
  expect(funnel).toMatchObject({ confirmed: 1, invited: 0, accepted: 0 });
  expect(counted).toEqual({ ...NONE, views: 20, joined: 2, confirmed: 1, invited: 1 });
  expect((await countRange(context.db, "all", 1)).before).toBeNull();
});

test("the hour that was running a period ago counts in part", async () => {
  await view(DAY_MS, 36_000);
  const { before } = await countRange(context.db, "24h", 1);
  const { rows } = await sql<{ passed: number }>`
    select extract(epoch from now() - date_trunc('hour', now()))::float as passed`.execute(context.db);
  expect(Math.abs((before?.views ?? 0) - 10 * (rows[0]?.passed ?? 0))).toBeLessThan(100);
});
