import { sql } from "kysely";
import { MAX_PAGE_SIZE } from "#console/contract/people.ts";
import { button, expect, fail, NO_DATABASE, open, test } from "#tests/support/console.ts";
import { addMany } from "#tests/support/people.ts";

test.beforeEach(async ({ page }) => {
  await page.getByRole("link", { name: "People", exact: true }).click();
  await expect(page.getByText("2,000 people")).toBeVisible();
});

test("a search finds words by their beginnings, then inside them, and keeps spaces", async ({ page, db }) => {
  await page.getByLabel("Search").fill("xample");
  await expect(page.getByText("Found inside words.")).toBeVisible();
  await expect(page.locator("th", { hasText: ".example" }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Export these" })).toHaveCount(0);
  await page.getByLabel("Search").fill("");

  // A pause in typing keeps the trailing space.
  const columns = db.selectFrom("sign_ups").select(["first_name", "last_name"]);
  const person = await columns.where("id", "=", "700").executeTakeFirstOrThrow();
  await page.getByLabel("Search").pressSequentially(`${person.first_name} `);
  await expect(page).toHaveURL(/search=/);
  await page.getByLabel("Search").pressSequentially(person.last_name);
  await expect(page.getByRole("row").nth(1)).toContainText(`${person.first_name} ${person.last_name}`);
});

test("a refetch drops and restores people as they match, and a failed one keeps them", async ({ page, db }) => {
  await open(page, "people?suppressed=no");
  const matching = db.selectFrom("sign_ups").select("email").where("suppressed_at", "is", null).orderBy("id", "desc");
  const emails = (await matching.execute()).map(({ email }) => email);
  const reject = (suppressedAt: Date | null) =>
    sql`update sign_ups set suppressed_at = ${suppressedAt} where email = any(${emails.slice(0, 150)})`.execute(db);
  const comeBack = async () => {
    await page.clock.fastForward(6000);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  };
  const person = (email = "") => page.getByRole("link", { name: email, exact: true });
  await expect(person(emails[0])).toBeVisible();
  await reject(new Date());
  await comeBack();
  await expect(person(emails[150])).toBeVisible();
  await reject(null);
  await comeBack();
  await expect(person(emails[0])).toBeVisible();

  await fail(page, "**/api/people?*");
  await comeBack();
  await expect(page.getByRole("alert")).toContainText(NO_DATABASE);
  await expect(person(emails[0])).toBeVisible();
  await page.unroute("**/api/people?*");
  await button(page, "Try again").press("Enter");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("scrolling through 10,000 people keeps few rows and reads each page once", async ({ page, db }) => {
  await addMany(db, 8000);
  await page.reload();
  const list = page.getByRole("region", { name: "People" });
  await expect(list.getByRole("link", { name: "p8000@example.com" })).toBeVisible();
  const cursors: unknown[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/people") cursors.push(searchParams.get("before"));
  });
  // Scrolls to the end repeatedly, until the last row is there.
  const maxRows = await list.evaluate(async (element) => {
    const rows = element.getElementsByTagName("tr");
    let most = 0;
    while (Number(rows[rows.length - 1]?.getAttribute("aria-rowindex")) <= 10_000) {
      element.scrollTo(0, element.scrollHeight);
      await new Promise(requestAnimationFrame);
      most = Math.max(most, rows.length);
    }
    return most;
  });
  expect(maxRows).toBeLessThan(80);
  await expect(list.getByRole("table")).toHaveAttribute("aria-rowcount", "10001");
  // The listener may have missed the first two pages.
  expect(cursors.length).toBeGreaterThan(10_000 / MAX_PAGE_SIZE - 2);
  expect(cursors).toEqual([...new Set(cursors)]);
});
