import type { Page } from "@playwright/test";
import { expectNoViolations } from "#tests/support/axe.ts";
import { button, expect, fail, NO_DATABASE, refetch, test } from "#tests/support/console.ts";
import { holdRequests } from "#tests/support/visitor.ts";

const card = (page: Page, name: string) =>
  page.getByRole("heading", { name, exact: true, level: 2 }).locator("xpath=ancestor::section");

test("someone who joins appears without a reload, every number follows, and Enter opens them", async ({ page, db }) => {
  await expect(card(page, "Newest").getByRole("listitem")).toHaveCount(8);
  await button(page, "All time").click();
  await expect(card(page, "Sign-ups").getByText("2,000")).toBeVisible();
  await db.pool.query(
    `insert into sign_ups (email_key, email, first_name, last_name, newsletter)
      values ('grace@navy.example', 'grace@navy.example', 'Grace', 'Hopper', false)`,
  );
  await db.pool.query("update totals set users = users + 1 where slot = 0");
  await refetch(page);
  const first = card(page, "Newest").getByRole("listitem").first();
  await expect(first).toContainText("grace@navy.example");
  await expect(card(page, "Sign-ups").getByText("2,001")).toBeVisible();
  await expect(page.getByText("2,001", { exact: true })).toHaveCount(3);
  await first.getByRole("link").press("Enter");
  await expect(page).toHaveURL(/\/people\/\d+$/);
});

test("the range is in the URL, and the old chart stays until the new one is loaded", async ({ page }) => {
  await expect(button(page, "7 days")).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("img", { name: /Sign-ups, last 7 days/ })).toBeVisible();
  const allow = await holdRequests(page, "**/api/overview?range=24h");
  await button(page, "24 hours").press("Enter");
  await expect(page).toHaveURL(/\?range=24h$/);
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
  await expect(page.getByRole("img", { name: /^Sign-ups/ })).toBeVisible();
  allow();
  await expect(page.getByRole("img", { name: /Sign-ups, last 24 hours/ })).toBeVisible();
  await page.reload();
  await expect(button(page, "24 hours")).toHaveAttribute("aria-pressed", "true");
  await expect(card(page, "Campaigns")).toContainText("Joined: last 24 hours");
});

test("a failed refresh keeps the numbers and says how old they are, or what went wrong", async ({ page }) => {
  const total = page.getByText("2,000", { exact: true }).first();
  await expect(total).toBeVisible();
  await fail(page, "**/api/overview*");
  await refetch(page);
  await expect(page.getByRole("alert")).toHaveText(/Can't reach the database\. These numbers are from .* UTC\./);
  await expect(total).toBeVisible();
  await expectNoViolations(page);
  await page.unroute("**/api/overview*");
  await refetch(page);
  await expect(page.getByRole("alert")).toHaveCount(0);

  await fail(page, "**/api/overview*");
  await page.reload();
  await expect(page.getByRole("alert")).toContainText(NO_DATABASE);
  await expectNoViolations(page);
  await page.unroute("**/api/overview*");
  await button(page, "Try again").press("Enter");
  await expect(total).toBeVisible();
});

test("campaigns show shares, and a long list says how old its figures are", async ({ page }) => {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/overview/), refetch(page)]);
  const numbers = await response.json();
  const launch = { source: "linkedin", medium: null, campaign: "launch", joined: 1200, confirmed: 600, invited: 300 };
  let changes: object = { countedAt: "2026-11-15T08:00:00Z", range: { ...numbers.range, sources: [launch] } };
  await page.route("**/api/overview*", (route) => route.fulfill({ json: { ...numbers, ...changes } }));
  await refetch(page);
  await expect(page.getByRole("status")).toContainText("some of these numbers are from Nov 15, 08:00 UTC");
  const cells = card(page, "Campaigns").getByRole("row", { name: "linkedin · launch" }).getByRole("cell");
  await expect(cells).toHaveText(["1,200", "600 50%", "300 25%"]);
  changes = { states: null, range: null };
  await refetch(page);
  await expect(page.getByRole("status")).toContainText("Counting a long list.");
  await expect(page.getByText("2,000", { exact: true })).toBeVisible();
  await expect(card(page, "Campaigns")).toHaveCount(0);
});

test("prints every number with its time and range, and names nobody", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByText(/^7 days, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)).toBeVisible();
  for (const name of ["Sign-ups", "Campaigns", "Companies", "Mail domains"])
    await expect(card(page, name)).toBeVisible();
  for (const name of ["Newest", "Next"]) await expect(card(page, name)).toBeHidden();
  await expect(page.getByRole("link", { name: "People", exact: true })).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("light");
  // Prints the whole view, not only the part that fits on a screen.
  expect(await page.locator("main").evaluate((main) => main.clientHeight >= main.scrollHeight)).toBe(true);
});

test("from 320 to 1280 px the chart's labels don't overlap or leave their card", async ({ page }) => {
  for (const range of ["24 hours", "7 days", "30 days", "All time"]) {
    await button(page, range).click();
    await expect(page.getByRole("img", { name: new RegExp(range, "i") })).toBeVisible();
    for (const width of [320, 400, 820, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => misplacedLabels(page), { message: `${range} at ${width} px` }).toEqual([]);
    }
  }
});

/** Chart labels that overlap another or leave the card. */
const misplacedLabels = (page: Page) =>
  card(page, "Sign-ups").evaluate((section) => {
    const { left, right } = section.getBoundingClientRect();
    const boxes = [...section.querySelectorAll("svg text")]
      .map((label) => label.getBoundingClientRect())
      .filter(({ width }) => width > 0);
    const overlap = (a: DOMRect, b: DOMRect) =>
      a !== b && a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
    if (boxes.length <= 5) return ["too few labels"];
    return boxes.filter((one) => one.left < left || one.right > right || boxes.some((other) => overlap(one, other)));
  });
