import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { recordActivity } from "#core/activity/activity.ts";
import { createOverview } from "#core/overview/overview.ts";
import { readStoredFigures } from "#core/overview/stored-figures.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addJoined, type JoinedAt, joinedAt } from "#tests/support/joined-at.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();
const join = (...rows: JoinedAt[]) => addJoined(context.db, rows);

/** Opens an overview whose time limit, 1 ms, every count exceeds. */
function openSlowly() {
  const overview = createOverview(context.db, { maxLiveMs: 1, longList: 0 });
  onTestFinished(() => overview.stop());
  return overview;
}

async function untilStored(overview: ReturnType<typeof openSlowly>) {
  await expect.poll(async () => (await overview.read("all")).range, { timeout: 10_000 }).not.toBeNull();
  return overview.read("all");
}

test("the figures of a long list are counted in the background, and say when they were counted", async () => {
  await join(joinedAt(Date.now()), joinedAt(Date.now()));
  const overview = openSlowly();
  expect(await overview.read("all")).toMatchObject({ people: 2, range: null });
  const stored = await untilStored(overview);
  expect(stored).toMatchObject({ people: 2, range: { funnel: { joined: 2 } }, countedAt: expect.any(Date) });
  await join(joinedAt(Date.now()));
  expect(await overview.read("all")).toMatchObject({ people: 3, range: { funnel: { joined: 2 } } });
});

test("the figures of a long list are recounted after 20 times as long as counting took, or after an operator's action", async () => {
  await join(joinedAt(Date.now()));
  const overview = openSlowly();
  await untilStored(overview);
  const isDue = async () => (await readStoredFigures(context.db))?.isDue;
  // Makes the total counting time a little more than a minute.
  await sql`update overview_figures set took_ms = jsonb_set(took_ms, '{all}', '60000')`.execute(context.db);
  expect(await isDue()).toBe(false);
  await sql`update overview_figures set counted_at = now() - interval '19 minutes'`.execute(context.db);
  expect(await isDue()).toBe(false);
  await recordActivity(context.db, OPERATOR, { action: "export" });
  expect(await isDue()).toBe(true);
  await sql`
    update overview_figures set counted_at = now() - interval '21 minutes', last_activity = last_activity + 100`.execute(
    context.db,
  );
  expect(await isDue()).toBe(true);
  await join(joinedAt(Date.now()));
  await expect.poll(async () => (await overview.read("all")).range?.funnel.joined, { timeout: 10_000 }).toBe(2);
});

test("only names that three people share are stored, so an erased person leaves none", async () => {
  const shared = { company: "Acme", company_key: "acme", utm: { source: "news" } };
  const own = { email_key: "a@own.example", company: "Own", company_key: "own", utm: { source: "own" } };
  await join(...[1, 2, 3].map(() => joinedAt(Date.now(), shared)), joinedAt(Date.now(), own));
  const { range } = await untilStored(openSlowly());
  expect(range).toMatchObject({
    companies: [{ name: "Acme", people: 3 }],
    domains: [{ name: "example.com", people: 3 }],
    sources: [{ source: "news", joined: 3 }],
    otherSources: { joined: 1 },
  });
  const { rows } = await sql<{ text: string }>`select figures::text as text from overview_figures`.execute(context.db);
  expect(rows[0]?.text).not.toMatch(/own/i);
});

test("a count in the background ends with the console", async () => {
  const overview = openSlowly();
  await context.db.transaction().execute(async (transaction) => {
    await sql`lock table page_views`.execute(transaction);
    expect(await overview.read("all")).toMatchObject({ range: null });
    await untilBlocked(context.db);
    await overview.stop();
  });
  expect(await context.db.selectFrom("overview_figures").selectAll().execute()).toEqual([]);
});
