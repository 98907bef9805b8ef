// Past 200 lines, because counting and storing share the same counters, and one table shows what both did.
import { once } from "node:events";
import { get } from "node:http";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { RETENTION } from "#brand/legal.ts";
import { connect } from "#core/database/connect.ts";
import { purge } from "#core/retention/purge.ts";
import { startViewCounter } from "#core/views/view-counter.ts";
import { loadSite } from "#server/http/site.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { type FaultyProxy, startFaultyProxy, throughProxy } from "#tests/support/faulty-proxy.ts";
import { useTestApp } from "#tests/support/test-app.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";

const context = useTestApp();

const BROWSER = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36";
const OPENED = { "user-agent": BROWSER, "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };
const NONE = { source: "", medium: "", campaign: "", is_other: false, is_partial: false };

/** The counter of another server, with its own connections. */
function aCounter(url = context.url) {
  const db = connect(url, { timeoutMs: 5000 });
  const faults: unknown[] = [];
  const counter = startViewCounter(db, (reason) => faults.push(reason));
  onTestFinished(async () => {
    await counter.stop();
    await db.destroy();
  });
  return Object.assign(counter, { faults });
}

async function aProxy(): Promise<FaultyProxy> {
  const proxy = await startFaultyProxy(Number(new URL(context.url).port));
  onTestFinished(() => proxy.stop());
  return proxy;
}

async function stored() {
  const rows = await context.db.selectFrom("page_views").selectAll().orderBy("views", "desc").execute();
  return rows.map(({ hour: _, ...row }) => row);
}

const total = async () => (await stored()).reduce((sum, { views }) => sum + views, 0);

/** Opens the page with these headers, and returns the rows that result. */
async function open(
  headers: Record<string, string>,
  url = "/",
  method: "GET" | "HEAD" = "GET",
  trustProxy = ["127.0.0.1"],
) {
  const views = aCounter();
  const app = await context.openApp({}, { site: loadSite("dist"), views, trustProxy });
  const { statusCode } = await app.inject({ method, url, headers });
  await views.store();
  return { statusCode, rows: await stored() };
}

test("a page that a person opens is counted in its hour", async () => {
  const before = Date.now();
  expect(await open(OPENED)).toEqual({ statusCode: 200, rows: [{ ...NONE, views: 1 }] });
  const [row] = await context.db.selectFrom("page_views").select("hour").execute();
  const hours = [before, Date.now()].map((at) => Math.floor(at / 3_600_000) * 3_600_000);
  expect(hours).toContain(row?.hour.getTime());
});

test("a page that the browser has already is counted too", async () => {
  expect(await open({ ...OPENED, "if-none-match": "*" })).toMatchObject({ statusCode: 304, rows: [{ views: 1 }] });
});

test.each<[string, Record<string, string>, string?, "HEAD"?]>([
  ["a program without a browser", { "user-agent": "curl/8.5.0" }],
  ["a script's fetch", { ...OPENED, "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" }],
  ["a frame", { ...OPENED, "sec-fetch-dest": "iframe" }],
  ["a prefetch", { ...OPENED, "sec-purpose": "prefetch" }],
  ["a search engine", { ...OPENED, "user-agent": `${BROWSER} (compatible; Googlebot/2.1)` }],
  ["a browser without a screen", { ...OPENED, "user-agent": BROWSER.replace("Chrome", "HeadlessChrome") }],
  ["HEAD", OPENED, "/", "HEAD"],
  ["another page", OPENED, "/nothing"],
  ["a file", OPENED, "/robots.txt"],
])("%s isn't counted as a view", async (_name, headers, url, method) => {
  expect((await open(headers, url, method)).rows).toEqual([]);
});

test("a phone whose name contains a crawler's is counted", async () => {
  expect(
    (await open({ ...OPENED, "user-agent": "Mozilla/5.0 (Linux; Android 14; CUBOT KINGKONG)" })).rows,
  ).toHaveLength(1);
});

test.each([
  ["its source, medium and name", "utm_source=news&utm_medium=mail&utm_campaign=launch", ["news", "mail", "launch"]],
  ["nothing but these", "utm_source=news&utm_term=x&email=ada@example.com&with=some-token", ["news", "", ""]],
  ["no invalid name", `utm_source=${"x".repeat(101)}&utm_campaign=%00`, ["", "", ""]],
])("of a campaign, a view keeps %s", async (_name, query, [source, medium, campaign]) => {
  expect((await open(OPENED, `/?${query}`)).rows).toEqual([{ ...NONE, source, medium, campaign, views: 1 }]);
});

test.each([
  ["CDN-Loop", { "cdn-loop": "cloudflare; loops=1" }, true],
  ["a cache's Via", { via: "1.1 a1b2.cloudfront.net (CloudFront)" }, true],
  ["a visitor's own proxy", { via: "1.1 office-gateway" }, false],
])("with %s, is_partial says whether a cache may have responded to others", async (_name, headers, is_partial) => {
  const forwarded = { ...OPENED, ...(headers as object), "x-forwarded-for": "192.0.2.1" };
  expect((await open(forwarded)).rows).toEqual([{ ...NONE, views: 1, is_partial }]);
});

test("a visitor can't claim to be a cache", async () => {
  const headers = { ...OPENED, "cdn-loop": "x", via: "1.1 varnish", "x-forwarded-for": "192.0.2.1" };
  const { rows } = await open(headers, "/", "GET", ["192.0.2.2"]);
  expect(rows).toEqual([{ ...NONE, views: 1, is_partial: false }]);
});

test("an hour stays partial once a cache has asked", async () => {
  const views = aCounter();
  for (const isPartial of [false, true, false]) {
    views.count({}, isPartial);
    await views.store();
  }
  views.count({}, false);
  await views.store();
  expect(await stored()).toEqual([{ ...NONE, views: 4, is_partial: true }]);
});

test("counts are stored once a minute, and a minute without views stores nothing", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const views = aCounter();
  views.count({}, false);
  vi.advanceTimersByTime(59_000);
  expect(await stored()).toEqual([]);
  vi.advanceTimersByTime(1000);
  await expect.poll(total).toBe(1);
  await context.db.deleteFrom("page_views").execute();
  vi.advanceTimersByTime(60_000);
  await views.store();
  expect(await stored()).toEqual([]);
});

test("two servers add up, and one that is killed loses only what it hadn't stored", async () => {
  const settings = { DATABASE_URL: context.url };
  const port = await freePort();
  const [stopped, killed] = await Promise.all([
    startServer(settings),
    startServer({ ...settings, PRIVATE_PORT: String(port) }),
  ]);
  onTestFinished(async () => {
    await Promise.all([stopped.stop(), killed.stop()]);
  });
  for (let turn = 0; turn < 20; turn += 1) {
    for (const { origin } of [stopped, killed]) {
      const [response] = await once(get(`${origin}/?utm_source=news`, { headers: OPENED, agent: false }), "response");
      response.resume();
    }
  }
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toMatch(/^farwatch_views_total 20$/m);
  process.kill(killed.pid, "SIGKILL");
  const other = aCounter();
  other.count({ source: "news" }, false);
  await Promise.all([other.store(), stopped.stop()]);
  expect(await stored()).toEqual([{ ...NONE, source: "news", views: 21 }]);
});

test("of a thousand invented campaigns in an hour, two servers keep 200 apart, and no view is lost", async () => {
  const servers = [aCounter(), aCounter()] as const;
  for (const views of servers) {
    views.count({ source: "real" }, false);
    // Opens each counter's connection, so that both store at the same time below.
    await views.store();
  }
  for (let minute = 0; minute < 3; minute += 1) {
    for (const [index, views] of servers.entries()) {
      for (let turn = 0; turn < 500; turn += 1) views.count({ source: `invented-${minute}-${index}-${turn}` }, false);
      views.count({ source: "real" }, false);
      // Counts this campaign twice, because each minute stores only the most viewed new campaigns.
      for (let time = 0; time < 2; time += 1) views.count({ campaign: "other" }, false);
      views.count({}, false);
    }
    await Promise.all(servers.map((views) => views.store()));
  }
  const rows = await stored();
  const isNamed = ({ source, medium, campaign }: (typeof rows)[number]) => source + medium + campaign !== "";
  expect(rows.filter(isNamed)).toHaveLength(200);
  expect(rows.filter((row) => !isNamed(row))).toEqual([
    // Of the 3000 invented campaigns, 198 are kept.
    { ...NONE, is_other: true, views: 3000 - (200 - 2) },
    { ...NONE, views: 6 },
  ]);
  expect(rows).toContainEqual({ ...NONE, source: "real", views: 8 });
  expect(rows).toContainEqual({ ...NONE, campaign: "other", views: 12 });
});

test("memory holds a thousand campaigns, and the rest as other", async () => {
  const views = aCounter();
  for (let turn = 0; turn < 1500; turn += 1) views.count({ source: `invented-${turn}` }, false);
  for (let turn = 0; turn < 5; turn += 1) views.count({ source: "invented-late" }, false);
  await views.store();
  expect(await total()).toBe(1505);
  expect((await stored())[0]).toEqual({ ...NONE, is_other: true, views: 1305 });
});

test("views counted while the database is down are stored after the outage", async () => {
  const proxy = await aProxy();
  const views = aCounter(throughProxy(proxy, context.url));
  views.count({ source: "news" }, false);
  await views.store();
  const { target } = proxy;
  proxy.target = 1;
  proxy.dropConnections();
  for (let minute = 0; minute < 2; minute += 1) {
    views.count({ source: "news" }, false);
    await views.store();
  }
  expect(views.faults).toHaveLength(2);
  proxy.target = target;
  views.count({ source: "news" }, false);
  await views.store();
  expect(await stored()).toEqual([{ ...NONE, source: "news", views: 4 }]);
});

test("views whose commit succeeded without a response aren't stored again", async () => {
  await sql`
    create function commit_slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
    create constraint trigger commit_slowly after insert on page_views deferrable initially deferred
    for each row execute function commit_slowly()`.execute(context.db);
  onTestFinished(async () => {
    await sql`drop function commit_slowly cascade`.execute(context.db);
  });
  const proxy = await aProxy();
  const views = aCounter(throughProxy(proxy, context.url));
  views.count({}, false);
  const storing = views.store();
  const committing = "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await expect.poll(async () => (await context.db.pool.query(committing)).rowCount).toBe(1);
  proxy.dropConnections();
  await storing;
  expect(views.faults).toHaveLength(1);
  await expect.poll(total).toBe(1);
  views.count({}, false);
  await views.store();
  expect(await stored()).toEqual([{ ...NONE, views: 2 }]);
});

test("no column could identify a visitor", async () => {
  const { rows } = await context.db.pool.query(
    "select column_name || ' ' || udt_name as column from information_schema.columns where table_name = 'page_views'",
  );
  const columns =
    "campaign text, hour timestamptz, is_other bool, is_partial bool, medium text, source text, views int4";
  expect(rows.map(({ column }) => column).sort()).toEqual(columns.split(", "));
});

test("purge deletes counts older than the privacy text allows", async () => {
  await sql`
    insert into page_views
    select now() - make_interval(days => ${RETENTION.views}, hours => age), '', '', '', false, 1, false
    from unnest(array[-1, 1]) as age`.execute(context.db);
  await purge(context.db, OPERATOR, {}, new Date());
  expect(await stored()).toHaveLength(1);
});
