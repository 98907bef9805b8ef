import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expect, test } from "#tests/support/console.ts";

const invite = (db: Database, wave: string) => recordActivity(db, OPERATOR, { action: "invite", wave, count: 1 });

/** Opens a view on a clock that the test can move. */
async function open(page: Page, view: string): Promise<void> {
  await page.clock.install();
  await page.goto(`${new URL(page.url()).origin}/${view}`);
}

test("a view stops refetching after five idle minutes, and goes on when someone is back", async ({ page, db }) => {
  await open(page, "activity");
  await expect(page.getByText("Nobody has changed anything yet.")).toBeVisible();
  await page.clock.fastForward("05:01");
  await page.waitForTimeout(500);
  let requests = 0;
  page.on("request", () => {
    requests += 1;
  });
  await invite(db, "1");
  for (let minute = 0; minute < 5; minute += 1) {
    await page.clock.fastForward("01:00");
    await page.waitForTimeout(100);
  }
  expect(requests).toBe(0);
  await page.mouse.move(200, 200);
  const entries = page.getByRole("main").getByRole("listitem");
  await expect(entries.first()).toContainText("wave 1");
  await invite(db, "2");
  await page.clock.fastForward(6000);
  await expect(entries.first()).toContainText("wave 2");
});

const failing = { status: 503, json: { detail: "Can't reach the database." } };

test("a failed refetch keeps the entries and says what went wrong; the next one clears that", async ({ page, db }) => {
  await invite(db, "1");
  await open(page, "activity");
  const entries = page.getByRole("main").getByRole("listitem");
  await expect(entries).toHaveCount(1);
  await page.route("**/api/activity", (route) => route.fulfill(failing));
  await page.clock.fastForward(6000);
  await expect(page.getByRole("alert")).toContainText("Can't reach the database.");
  await expect(entries).toHaveCount(1);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.unroute("**/api/activity");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a failed refetch of a part of the list keeps the table", async ({ page }) => {
  await open(page, "people");
  const rows = page.getByRole("row");
  await expect(rows.nth(5)).toContainText("@");
  await page.route("**/api/people?*", (route) => route.fulfill(failing));
  await page.clock.fastForward(6000);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(page.getByRole("alert")).toContainText("Can't reach the database.");
  await expect(rows.nth(5)).toContainText("@");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.unroute("**/api/people?*");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(page.getByRole("alert")).toHaveCount(0);
});
