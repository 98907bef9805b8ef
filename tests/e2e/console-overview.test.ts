import type { Page } from "@playwright/test";
import { expectNoViolations } from "#tests/support/axe.ts";
import { button, expect, fail, NO_DATABASE, refetch, test } from "#tests/support/console.ts";
import { holdRequests } from "#tests/support/visitor.ts";

const card = (page: Page, name: string) =>
  page.getByRole("heading", { name, exact: true, level: 2 }).locator("xpath=ancestor::section");

test("someone who joins appears without a reload, every number follows, and Enter opens them", async ({ page, db }) => {
  await expect(card(page, "Newest").getByRole("listitem")).toHaveCount(8);
  await button(page, "All time").click();
  await expect(card(page, "Funnel").getByText("2,000")).toBeVisible();
  await db.pool.query(
    `insert into sign_ups (email_key, email, first_name, last_name, newsletter)
      values ('grace@navy.example', 'grace@navy.example', 'Grace', 'Hopper', false)`,
  );
  await db.pool.query("update totals set users = users + 1 where slot = 0");
  await refetch(page);
  const first = card(page, "Newest").getByRole("listitem").first();
  await expect(first).toContainText("grace@navy.example");
  await expect(card(page, "Funnel").getByText("2,001")).toBeVisible();
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
  await expect(page.getByRole("alert")).toHaveText(/Can't reach the database\. These numbers are from .*\d\d:\d\d\./);
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

test("campaigns show rates where views are enough to judge, and a long list says how old its figures are", async ({
  page,
}) => {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/overview/), refetch(page)]);
  const numbers = await response.json();
  const steps = { views: 12_000, joined: 1200, confirmed: 600, invited: 300, accepted: 200, hasPartialViews: false };
  const launch = { ...steps, source: "linkedin", medium: null, campaign: "launch" };
  const few = { ...launch, source: "few", views: 10, joined: 1 };
  const cached = { ...launch, source: "cached", hasPartialViews: true };
  const range = { ...numbers.range, sources: [launch, few, cached], otherSources: { ...steps, joined: 0 } };
  let changes: object = { countedAt: "2026-11-15T08:00:00Z", range: { ...range, funnel: cached } };
  await page.route("**/api/overview*", (route) => route.fulfill({ json: { ...numbers, ...changes } }));
  await refetch(page);
  await expect(page.getByRole("status")).toContainText("some of these numbers are from Nov 15, 2026, 08:00.");
  const cells = (name: string) => card(page, "Campaigns").getByRole("row", { name }).getByRole("cell");
  await expect(cells("linkedin · launch")).toHaveText(["12,000", "1,200 10%", "600 50%", "300 50%", "200 67%"]);
  await expect(cells("few · launch").nth(1)).toHaveText("1 too few views");
  await expect(cells("cached · launch")).toHaveText(["12,000 or more", "1,200", "600 50%", "300 50%", "200 67%"]);
  await expect(cells("Other campaigns").first()).toHaveText("12,000");
  await expect(card(page, "Funnel")).toContainText("Views, at least12,000");
  await expect(card(page, "Funnel")).not.toContainText("of views");
  await expectNoViolations(page);
  changes = { states: null, range: null };
  await refetch(page);
  await expect(page.getByRole("status")).toContainText("Counting a long list.");
  await expect(page.getByText("2,000", { exact: true })).toBeVisible();
  await expect(card(page, "Campaigns")).toHaveCount(0);
});

test("the funnel shows each step's rate and its change from the period before, and fits on a phone", async ({
  page,
}) => {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/overview/), refetch(page)]);
  const numbers = await response.json();
  const funnel = { views: 1000, joined: 80, confirmed: 60, invited: 20, accepted: 5, hasPartialViews: false };
  const before = { ...funnel, views: 800, joined: 100, confirmed: 60, invited: 0 };
  const range = { ...numbers.range, funnel, before };
  await page.route("**/api/overview*", (route) => route.fulfill({ json: { ...numbers, range } }));
  await refetch(page);
  await expect(card(page, "Funnel").locator("dl > div")).toHaveText([
    "Views1,000+25% from 800",
    "Joined80−20% from 1008% of views",
    "Confirmed60+0% from 6075% of joined",
    "Invited20from 033% of confirmed",
    "Accepted5+0% from 525% of invited",
  ]);
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const tooWide = page
      .locator(":is(.funnel, .campaigns) :is(dd, td, th)")
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
      );
    expect(await tooWide, `at ${width} px`).toEqual([]);
  }
});

test("prints every number with its time and range, and names nobody", async ({ page }) => {
  await page.evaluate(() => {
    window.print = () => document.body.append("The print dialog");
  });
  const print = button(page, "Print or save as PDF…");
  await print.click();
  await expect(page.getByText("The print dialog")).toBeVisible();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByText(/^7 days, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)).toBeVisible();
  for (const name of ["Funnel", "Sign-ups", "Campaigns", "Companies", "Mail domains"])
    await expect(card(page, name)).toBeVisible();
  for (const name of ["Newest", "Next"]) await expect(card(page, name)).toBeHidden();
  await expect(page.getByRole("link", { name: "People", exact: true })).toBeHidden();
  await expect(print).toBeHidden();
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

/** Chart labels that overlap each other or leave the card. */
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
