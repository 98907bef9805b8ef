import fc from "fast-check";
import puppeteer from "puppeteer-core";
import * as content from "#brand/content.ts";
import { dark } from "#brand/tokens.ts";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { noStats, once, respond, type Stats, stats } from "#tests/support/answers.ts";
import { computedColor, expectInOrder, expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import {
  fillIn,
  joinedTitle,
  mockSignUpResponse,
  openReadyToSubmit,
  recordCalls,
  stat,
  submit,
  toast,
  untilRecorded,
} from "#tests/support/visitor.ts";
import { visitor } from "#tests/support/visitors.ts";
import { chromiumOptions, chromiumWithoutWebgl } from "#tools/chromium.ts";
import { expect, test } from "./fixtures.ts";

// German would format 1,247 as 1.247.
test.use({ locale: "de" });

test("the stats row shows data.totalUsers and data.companiesInterested, or 0, and always 45", async ({ page }) => {
  let body = "";
  await page.route(`**${STATS_PATH}`, (route) =>
    body ? route.fulfill({ body, contentType: "application/json" }) : route.fulfill({ status: 503 }),
  );
  await page.clock.install({ time: visitor()?.date ?? "2025-03-01" });
  for (const [response, users, companies] of [
    ["", "0", "0"],
    ['{"totalUsers":3,"companiesInterested":4}', "0", "0"],
    ['{"data":{"totalUsers":"many","companiesInterested":1e999}}', "0", "0"],
    ['{"data":{"totalUsers":7}}', "7", "0"],
    ['{"data":{"totalUsers":1234567,"companiesInterested":678,"daysToLaunch":1}}', "1,234,567", "678"],
  ] as const) {
    body = response;
    await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/")]);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    // Hydration removes #not-yet, unless an error in the row stops it.
    await expect(page.locator("#not-yet"), response).toHaveCount(0);
    await expect(stat(page, "totalUsers"), response).toHaveText(users);
    await expect(stat(page, "companiesInterested"), response).toHaveText(companies);
    await expect(stat(page, "daysToLaunch")).toHaveText(`${content.DAYS_TO_LAUNCH}`);
    // A 0 has the quiet color.
    await expect(stat(page, "totalUsers")).toHaveCSS("color", computedColor(users === "0" ? dark.quiet : dark.text));
    await expect(toast(page)).toHaveCount(0);
  }
  await page.clock.fastForward(50 * 24 * 60 * 60 * 1000);
  await mockSignUpResponse(page, 201, '{"data":{"totalUsers":1234568,"companiesInterested":1000679,"daysToLaunch":1}}');
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.locator("#waitlist dl").locator("dt, dd")).toHaveText([
    content.totalUsers,
    "1,234,568",
    content.companiesInterested,
    "1,000,679",
    content.daysToLaunch,
    `${content.DAYS_TO_LAUNCH}`,
  ]);
  await onEachScreen(page, async () => {
    await expectSeen(page.locator("#waitlist dl").locator("dt, dd"));
    await expectInOrder(page.locator("#waitlist dl > div"));
  });
  // Seven digits fit on one line of a small phone.
  await page.setViewportSize({ width: 320, height: 568 });
  for (const name of ["totalUsers", "companiesInterested"] as const) {
    const { x = 0, width = 0, height = 0 } = (await stat(page, name).boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(320 - 16);
    expect(height).toBeLessThan(48);
  }
});

test("totals of up to 16 digits stay inside the page at every width", async ({ page }) => {
  const most = { data: { totalUsers: Number.MAX_SAFE_INTEGER, companiesInterested: Number.MAX_SAFE_INTEGER } };
  await page.route(`**${STATS_PATH}`, (route) => route.fulfill({ json: most }));
  await page.goto("/");
  await expect(stat(page, "companiesInterested")).toHaveText("9,007,199,254,740,991");
  for (const width of [320, 480, 520, 560, 640, 700, 768, 800, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 740 });
    await expectSeen(page.locator("#waitlist dl").locator("dt, dd"));
    await expectInOrder(page.locator("#waitlist dl > div"));
    const { x = 0, width: room = 0 } = (await page.locator("#waitlist dl").boundingBox()) ?? {};
    const rights = await page
      .locator("#waitlist dl > div")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect.soft(Math.max(...rights), String(width)).toBeLessThanOrEqual(x + room + 1);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("the stats row shows the numbers of every response, the first and the one after a sign-up", async ({ page }) => {
  let current: Stats | undefined;
  await page.route(`**${STATS_PATH}`, (route) => current && respond(route, current.answer));
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 201, json: {} }));
  await page.clock.install();
  const shown = (value: unknown) => (typeof value === "number" ? value.toLocaleString("en") : "0");
  const expectShown = async ({ totals }: Stats) => {
    await expect(stat(page, "totalUsers")).toHaveText(shown(totals?.totalUsers));
    await expect(stat(page, "companiesInterested")).toHaveText(shown(totals?.companiesInterested));
    await expect(stat(page, "daysToLaunch")).toHaveText(`${content.DAYS_TO_LAUNCH}`);
  };
  const join = async ([first, second]: [Stats, Stats]) => {
    current = first;
    await Promise.all([page.waitForRequest(`**${STATS_PATH}`), page.goto("/")]);
    await expectShown(first);
    await page.clock.fastForward(3000);
    await fillIn(page, aSignUp());
    current = second;
    await Promise.all([page.waitForRequest(`**${STATS_PATH}`), submit(page)]);
    // A failure leaves the numbers as they were.
    await expectShown(second.totals ? second : first);
  };
  await once(fc.tuple(stats, stats), join);
  await once(fc.tuple(noStats, stats), join);
  await once(fc.tuple(stats, noStats), join);
});

test("stats are fetched on page load and after a sign-up only, and all calls include credentials", async ({ page }) => {
  const calls = recordCalls(page);
  // Records the credentials mode instead of cookies, because fetch's default mode sends same-origin cookies too.
  const modes: string[] = [];
  await page.exposeFunction("recordMode", (mode: string) => modes.push(mode));
  await page.addInitScript(() => {
    const { fetch, recordMode } = window as unknown as Window & { recordMode(mode: string): void };
    window.fetch = (...args) => {
      recordMode(new Request(...args).credentials);
      return fetch(...args);
    };
  });
  const followAnchorsAndLeaveForAnHour = async () => {
    await page.evaluate(() => {
      for (const link of document.querySelectorAll<HTMLElement>('a[href^="#"]')) link.click();
      for (const type of ["blur", "focus", "offline", "online"]) dispatchEvent(new Event(type));
      // The event bubbles, like the browser's own, because TanStack Query listens on the window.
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    await page.clock.fastForward("01:00:00");
    await untilRecorded(page);
  };
  // Our server's own failures, which other clients retry.
  await page.route(`**${STATS_PATH}`, (route) => route.fulfill({ status: 503 }), { times: 1 });
  await openReadyToSubmit(page);
  const expected = ["GET /api/waitlist/stats"];
  await followAnchorsAndLeaveForAnHour();
  expect(calls).toEqual(expected);
  await fillIn(page, aSignUp());
  for (const status of [503, 429]) {
    const headers = { "retry-after": "1" };
    await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status, headers }), { times: 1 });
    await submit(page);
    await expect(toast(page)).toBeVisible();
    expected.push("POST /api/waitlist");
    await followAnchorsAndLeaveForAnHour();
    expect(calls).toEqual(expected);
  }
  await submit(page);
  await expect(joinedTitle(page)).toBeVisible();
  expected.push("POST /api/waitlist", "GET /api/waitlist/stats");
  await expect.poll(() => calls).toEqual(expected);
  await followAnchorsAndLeaveForAnHour();
  expect(calls).toEqual(expected);
  expect(modes).toEqual(expected.map(() => "include"));
});

test("stats are fetched on load in a tab that was opened in the background", async ({ site }) => {
  // Uses Puppeteer and a whole Chromium, because in Playwright and in the headless shell every tab is visible.
  const { executablePath } = chromiumOptions;
  const browser = await puppeteer.launch({ executablePath, args: chromiumWithoutWebgl.args });
  const [front = await browser.newPage()] = await browser.pages();
  const page = await browser.newPage();
  await front.bringToFront();
  const calls: string[] = [];
  page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await page.goto(site.origin);
  await expect.poll(() => calls).toContain(STATS_PATH);
  expect(await page.evaluate(() => document.visibilityState)).toBe("hidden");
  await browser.close();
});

test("after a sign-up, stats are fetched even without a first response, and never go down", async ({ page }) => {
  const calls = recordCalls(page);
  const { promise: never } = Promise.withResolvers<void>();
  const stale = { data: { totalUsers: 0, companiesInterested: 0 } };
  await page.route(`**${STATS_PATH}`, (route) => route.fulfill({ json: stale }));
  await page.route(`**${STATS_PATH}`, () => never, { times: 1 });
  await page.clock.install();
  await Promise.all([page.waitForRequest(`**${STATS_PATH}`), page.goto("/")]);
  await page.clock.fastForward(3000);
  await fillIn(page, aSignUp());
  const refetched = page.waitForResponse(`**${STATS_PATH}`);
  await submit(page);
  await expect(joinedTitle(page)).toBeVisible();
  await expect.poll(() => calls).toEqual(["GET /api/waitlist/stats", "POST /api/waitlist", "GET /api/waitlist/stats"]);
  await refetched;
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await expect(stat(page, "totalUsers")).not.toHaveText("0");
});
