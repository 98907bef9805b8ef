import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { expect, test } from "#tests/support/console.ts";

async function addPerson(db: Database, email: string): Promise<void> {
  await sql`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter)
    values (${email}, ${email}, 'Grace', 'Hopper', false)`.execute(db);
  await sql`update totals set users = users + 1 where slot = 0`.execute(db);
}

const card = (page: Page, name: string) =>
  page.getByRole("heading", { name, exact: true, level: 2 }).locator("xpath=ancestor::section");

test("someone who joins appears without a reload, and every number follows", async ({ page, db }) => {
  await expect(card(page, "Newest").getByRole("listitem")).toHaveCount(8);
  await page.getByRole("button", { name: "All time" }).click();
  await expect(card(page, "Sign-ups").getByText("2,000")).toBeVisible();
  await addPerson(db, "grace@navy.example");
  const first = card(page, "Newest").getByRole("listitem").first();
  await expect(first).toContainText("grace@navy.example", { timeout: 15_000 });
  await expect(card(page, "Sign-ups").getByText("2,001")).toBeVisible();
  await expect(page.getByText("2,001", { exact: true })).toHaveCount(3);
});

test("the range is part of the URL, works by keyboard, and survives a reload", async ({ page }) => {
  const day = page.getByRole("button", { name: "24 hours" });
  await expect(page.getByRole("button", { name: "7 days" })).toHaveAttribute("aria-pressed", "true");
  await day.press("Enter");
  await expect(page).toHaveURL(/\?range=24h$/);
  await expect(card(page, "Sign-ups")).toContainText("last 24 hours");
  await page.reload();
  await expect(day).toHaveAttribute("aria-pressed", "true");
  await expect(card(page, "Campaigns")).toContainText("Joined: last 24 hours");
});

test("choosing a range keeps the old chart until the new one is there", async ({ page }) => {
  await expect(page.getByRole("img", { name: /Sign-ups, last 7 days/ })).toBeVisible();
  const { promise: isAllowed, resolve: allow } = Promise.withResolvers<void>();
  await page.route("**/api/overview?range=30d", async (route) => {
    await isAllowed;
    await route.continue();
  });
  await page.getByRole("button", { name: "30 days" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
  await expect(page.getByRole("img", { name: /^Sign-ups/ })).toBeVisible();
  allow();
  await expect(page.getByRole("img", { name: /Sign-ups, last 30 days/ })).toBeVisible();
});

test("campaigns show how many of their people confirmed and were invited", async ({ page, db }) => {
  await page.getByRole("button", { name: "All time" }).click();
  const { rows } = await sql<{ joined: number; confirmed: number; invited: number }>`
    select count(*)::integer as joined, count(confirmed_at)::integer as confirmed, count(invited_at)::integer as invited
    from sign_ups where coalesce(utm ->> 'source', utm ->> 'medium', utm ->> 'campaign') is null`.execute(db);
  const { joined = 0, confirmed = 0, invited = 0 } = rows[0] ?? {};
  const percent = (part: number) => `${Math.round((100 * part) / joined)}%`;
  const format = (value: number) => value.toLocaleString("en");
  await expect(
    card(page, "Campaigns")
      .getByRole("row", { name: /^No campaign/ })
      .getByRole("cell"),
  ).toHaveText([
    format(joined),
    `${format(confirmed)} ${percent(confirmed)}`,
    `${format(invited)} ${percent(invited)}`,
  ]);
});

test("the newest person opens by keyboard", async ({ page }) => {
  await card(page, "Newest").getByRole("listitem").first().getByRole("link").press("Enter");
  await expect(page).toHaveURL(/\/people\/\d+$/);
});

test("a hidden page asks for nothing, and a visible one for the latest numbers", async ({ page }) => {
  await expect(card(page, "Newest")).toBeVisible();
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/overview")) requests += 1;
  });
  const setVisibility = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }, state);
  await setVisibility("hidden");
  await page.waitForTimeout(7000);
  expect(requests).toBe(0);
  await setVisibility("visible");
  await expect.poll(() => requests, { timeout: 10_000 }).toBeGreaterThan(0);
});

test("a failed refresh keeps the numbers and says how old they are; the next one clears that", async ({ page }) => {
  await expect(page.getByText("2,000", { exact: true }).first()).toBeVisible();
  const detail = "Can't reach the database.";
  await page.route("**/api/overview*", (route) => route.fulfill({ status: 503, json: { detail } }));
  await expect(page.getByRole("alert")).toHaveText(/Can't reach the database\. These numbers are from .* UTC\./, {
    timeout: 20_000,
  });
  await expect(page.getByText("2,000", { exact: true }).first()).toBeVisible();
  await page.unroute("**/api/overview*");
  await expect(page.getByRole("alert")).toHaveCount(0, { timeout: 20_000 });
});

test("without any numbers it says what went wrong, and tries again", async ({ page }) => {
  await page.route("**/api/overview*", (route) =>
    route.fulfill({ status: 503, json: { detail: "Can't reach the database." } }),
  );
  await page.reload();
  await expect(page.getByRole("alert")).toContainText("Can't reach the database.");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.unroute("**/api/overview*");
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(page.getByText("2,000", { exact: true }).first()).toBeVisible();
});

test("says of when the figures of a long list are, and what is still being counted", async ({ page }) => {
  const numbers = await (await page.waitForResponse(/\/api\/overview/)).json();
  let changes: object = { countedAt: "2026-11-15T08:00:00Z" };
  await page.route("**/api/overview*", (route) => route.fulfill({ json: { ...numbers, ...changes } }));
  await expect(page.getByRole("status")).toContainText("some of these numbers are from Nov 15, 08:00 UTC");
  changes = { states: null, range: null };
  await expect(page.getByRole("status")).toContainText("Counting a long list.", { timeout: 15_000 });
  await expect(page.getByText("2,000", { exact: true })).toBeVisible();
  await expect(card(page, "Campaigns")).toHaveCount(0);
});

test("prints every number with its time and range, and names nobody", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByText(/^7 days, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)).toBeVisible();
  for (const name of ["Sign-ups", "Campaigns", "From joined to invited", "Companies", "Mail domains"])
    await expect(card(page, name)).toBeVisible();
  await expect(card(page, "Newest")).toBeHidden();
  await expect(page.getByRole("link", { name: "People", exact: true })).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("light");
  // The whole view, not only what fits on a screen.
  expect(await page.locator("main").evaluate((main) => main.clientHeight >= main.scrollHeight)).toBe(true);
});

for (const width of [320, 400, 820, 1280]) {
  test(`at ${width} px the chart's labels don't overlap or leave their card`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const range of ["24 hours", "7 days", "30 days", "All time"]) {
      await page.getByRole("button", { name: range }).click();
      await expect(page.getByRole("img", { name: new RegExp(range, "i") })).toBeVisible();
      const { left, right, boxes } = await card(page, "Sign-ups").evaluate((section) => {
        const labels = [...section.querySelectorAll("svg text")].map((label) => label.getBoundingClientRect());
        const { left, right } = section.getBoundingClientRect();
        return { left, right, boxes: labels.filter((box) => box.width > 0) };
      });
      const overlap = (a: DOMRect, b: DOMRect) =>
        a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
      expect(boxes.length).toBeGreaterThan(5);
      expect(boxes.filter((one) => boxes.some((other) => other !== one && overlap(one, other)))).toEqual([]);
      expect(boxes.filter((one) => one.left < left || one.right > right)).toEqual([]);
    }
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations in any range, ${colorScheme}`, async ({ page, db }) => {
    await sql`
      insert into deliveries (message_id, sign_up_id, state, reason, tried_at)
      select 1, min(id), 'failed', 'refused', now() from sign_ups
      on conflict (sign_up_id, message_id) do update set state = 'failed', reason = 'refused'`.execute(db);
    await page.emulateMedia({ colorScheme });
    await page.reload();
    for (const range of ["24 hours", "30 days", "All time"]) {
      await page.getByRole("button", { name: range }).click();
      await expect(card(page, "Campaigns")).toContainText(range === "All time" ? "all time" : `last ${range}`);
      await expect(card(page, "Mail")).toContainText("Gave up on 1 email");
      expect((await new AxeBuilder({ page }).analyze()).violations, range).toEqual([]);
    }
  });
}

test.describe("an empty list", () => {
  test.use({ isEmpty: true });

  test("says so, and fills when the first person joins", async ({ page, db }) => {
    await expect(page.getByText("Nobody has signed up yet. This fills as people join.")).toBeVisible();
    await addPerson(db, "first@navy.example");
    await expect(card(page, "Newest").getByRole("listitem")).toHaveCount(1, { timeout: 15_000 });
    await expect(card(page, "Companies")).toContainText("None.");
  });
});
