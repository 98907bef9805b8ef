import { chromium, devices } from "@playwright/test";
import type { PageViews } from "#core/database/tables.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { type Change, withChanges } from "#tests/drills/harness/change-source.ts";
import type { Context, Control, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";
import { send } from "#tests/drills/harness/http.ts";
import { until } from "#tests/drills/harness/until.ts";
import { chromiumWithoutWebgl } from "#tools/chromium.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const COUNTER = "core/views/view-counter.ts";
const COUNTED = "server/http/page-views.ts";
const CLIENTS = 16;
/** Page loads before and after both servers store their counts. To save time, `intervalMs` is shorter than usual. */
const SIZES = {
  short: { before: 1200, visits: 10, after: 400, intervalMs: 2000 },
  full: { before: 5000, visits: 300, after: 4700, intervalMs: 10_000 },
};

// Headless Chrome would count as a crawler.
const { userAgent } = devices["Desktop Chrome"];
const OPENED = { "user-agent": userAgent, "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" };
/** Of ten loads, six are OPENED and four are these, which must not count. */
const NOT_OPENED = [
  { headers: { "user-agent": userAgent } },
  { headers: OPENED, method: "HEAD" },
  { headers: { ...OPENED, "sec-purpose": "prefetch" } },
  { headers: { ...OPENED, "user-agent": `${userAgent} (compatible; Googlebot/2.1)` } },
];

async function loadPages({ size, keep, check }: Context, changes: Change[] = []): Promise<Outcome> {
  const { before, visits, after, intervalMs } = SIZES[size];
  const { url } = await keep(startScratchPostgres());
  await migrateDatabase(url);
  const interval: Change = [COUNTER, "STORE_INTERVAL_MS = 60_000", `STORE_INTERVAL_MS = ${intervalMs}`];
  const start = () => keep(startServer(withChanges({ DATABASE_URL: url }, [interval, ...changes])));
  const [killed, stopped] = await Promise.all([start(), start()]);
  const serverOf = (index: number) => (index % 20 < 10 ? killed : stopped);
  /** Views with a campaign, views without one, and views that the kill may lose. */
  const opened = { campaign: 0, plain: 0, unstored: 0 };
  async function load(index: number, page: string, kind: keyof typeof opened): Promise<void> {
    const other = NOT_OPENED[(index % 10) - 6];
    const { status } = await send(page, other ?? { headers: OPENED });
    if (!other && status === 200) opened[kind] += 1;
  }
  const browser = await chromium.launch(chromiumWithoutWebgl);
  await keep({ stop: () => browser.close() });
  const page = await browser.newPage({ userAgent });
  async function visit(): Promise<void> {
    for (let index = 0; index < visits; index += 1) {
      // A different URL each time, because the browser caches a page for a second.
      const response = await page.goto(`${serverOf(index).origin}/?visit=${index}`, { waitUntil: "commit" });
      if (response?.ok()) opened.plain += 1;
    }
  }
  const loadAll = inParallel(before, (index) => {
    const query = index % 10 < 4 ? "" : `?utm_campaign=invented-${index}`;
    return load(index, `${serverOf(index).origin}/${query}`, query ? "campaign" : "plain");
  });
  await Promise.all([loadAll, visit()]);
  await until("all views are stored", async () => (await stored(url)).total >= opened.plain + opened.campaign);
  // Checks before the kill, because views that the kill loses could hide extra ones.
  check((await stored(url)).total === opened.plain + opened.campaign, "views are stored that nobody opened");
  await inParallel(after, (index) => {
    if (index === after / 2) process.kill(killed.pid, "SIGKILL");
    if (index < after / 2 && serverOf(index) === killed) return load(index, killed.origin, "unstored");
    return load(index, `${stopped.origin}/?utm_source=stopped`, "campaign");
  });
  await stopped.stop();

  const { total, plain, campaigns, others, hours } = await stored(url);
  const missing = opened.plain + opened.unstored - plain;
  const missingInCampaigns = opened.campaign - (total - plain);
  check(missing > 0, "the killed server had stored everything, so the kill had no effect");
  check(campaigns <= 200 * hours && others <= hours, `${campaigns} rows of campaigns, ${others} of others`);
  return {
    acknowledged: opened.plain + opened.campaign + opened.unstored,
    lost: Math.max(0, missing - opened.unstored) + Math.max(0, missingInCampaigns),
    duplicated: Math.max(0, -missing) + Math.max(0, -missingInCampaigns),
    figures: { loads: before + visits + after, visits, opened, stored: total, missing, campaigns, others },
  };
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array(count).keys();
  async function workOn(): Promise<void> {
    for (const index of indexes) await work(index);
  }
  await Promise.all(Array.from({ length: CLIENTS }, workOn));
}

async function stored(url: string) {
  const rows = await executeOn<PageViews>(url, "select * from page_views");
  const count = (some: PageViews[]) => some.reduce((sum, { views }) => sum + views, 0);
  const named = rows.filter(({ source, campaign }) => source + campaign !== "");
  const others = rows.filter(({ is_other }) => is_other);
  const total = count(rows);
  const hours = new Set(rows.map(({ hour }) => hour.getTime())).size;
  return { total, plain: total - count(named) - count(others), campaigns: named.length, others: others.length, hours };
}

function control(without: string, finds: Control["finds"], change: Change): Control {
  return { without, finds, changes: [change], run: (context) => loadPages(context, [change]) };
}

export const countViews: Drill = {
  breaks: "server killed while both count page views, the other stopped",
  shows: "each opened page is counted once, except on the killed server since it last stored",
  run: (context) => loadPages(context),
  controls: [
    control("telling HEAD from GET", /nobody opened/, [COUNTED, 'method === "GET" &&', ""]),
    control("telling visits from prefetches", "duplicated", [COUNTED, 'headers["sec-purpose"] === undefined &&', ""]),
    control("forgetting what is stored", "duplicated", [COUNTER, "waiting = new Map();", ""]),
    control("storing at the end", "lost", [COUNTER, "await store();", ""]),
    control("a limit on campaigns", /rows of campaigns/, [COUNTER, "MAX_CAMPAIGNS = 200", "MAX_CAMPAIGNS = 2000"]),
  ],
};
