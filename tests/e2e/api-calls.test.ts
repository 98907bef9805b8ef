import puppeteer from "puppeteer-core";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openReadyToSubmit, recordCalls, stat, submit, toast } from "#tests/support/visitor.ts";
import { chromiumOptions } from "#tools/chromium.ts";
import { expect, test } from "./fixtures.ts";

test("all API calls include credentials", async ({ page }) => {
  // Not seen in a same-origin request's cookies, which browsers send with fetch's default mode too.
  const modes: string[] = [];
  await page.exposeFunction("recordMode", (mode: string) => modes.push(mode));
  await page.addInitScript(() => {
    const { fetch, recordMode } = window as unknown as Window & { recordMode(mode: string): void };
    window.fetch = (...args) => {
      recordMode(new Request(...args).credentials);
      return fetch(...args);
    };
  });
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect.poll(() => modes).toEqual(["include", "include", "include"]);
});

test("stats are fetched on page load, again after a successful sign-up, and at no other time", async ({ page }) => {
  const calls = recordCalls(page);
  const leaveForAnHour = async () => {
    await page.evaluate(() => {
      for (const type of ["blur", "focus", "offline", "online"]) dispatchEvent(new Event(type));
      // The browser's own bubbles up to the window, which is where TanStack Query listens.
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    await page.clock.fastForward("01:00:00");
    await page.waitForTimeout(300);
  };
  await openReadyToSubmit(page);
  await leaveForAnHour();
  expect(calls).toEqual(["GET /api/waitlist/stats"]);
  await fillIn(page, aSignUp());
  await page.route(`**${WAITLIST_PATH}`, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await submit(page);
  await expect(toast(page)).toBeVisible();
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  const posts = ["POST /api/waitlist", "POST /api/waitlist"];
  const expected = ["GET /api/waitlist/stats", ...posts, "GET /api/waitlist/stats"];
  await expect.poll(() => calls).toEqual(expected);
  await leaveForAnHour();
  expect(calls).toEqual(expected);
});

test("stats are fetched on load in a tab that was opened in the background", async ({ site }) => {
  // Not Playwright, in which every tab is visible.
  const { executablePath, args } = chromiumOptions;
  const browser = await puppeteer.launch({ executablePath, args });
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

test("stats are fetched again after a sign-up even if the first response hasn't arrived", async ({ page }) => {
  const calls = recordCalls(page);
  const { promise: never } = Promise.withResolvers<void>();
  await page.route(`**${STATS_PATH}`, () => never, { times: 1 });
  await page.clock.install();
  await Promise.all([page.waitForRequest(`**${STATS_PATH}`), page.goto("/")]);
  await page.clock.fastForward(3000);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect.poll(() => calls).toEqual(["GET /api/waitlist/stats", "POST /api/waitlist", "GET /api/waitlist/stats"]);
});

test("a stale stats response doesn't undo the count of the visitor who just joined", async ({ page }) => {
  await page.route(`**${STATS_PATH}`, (route) =>
    route.fulfill({ json: { data: { totalUsers: 0, companiesInterested: 0 } } }),
  );
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(stat(page, "Total users")).not.toHaveText("0");
});
