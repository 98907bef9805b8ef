import { sql } from "kysely";
import { expectNoViolations } from "#tests/support/axe.ts";
import { expect, PEOPLE, test } from "#tests/support/console.ts";

const VIEWS = ["overview", "people", "messages", "waves", "export", "quarantine", "activity"];

test("a reload keeps the session, and the token is gone from the address bar", async ({ page }) => {
  expect(new URL(page.url()).hash).toBe("");
  await page.reload();
  await expect(page.getByText("2,000", { exact: true }).first()).toBeVisible();
});

test("a tab without a session is told how to get one", async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("heading", { name: "This tab has no session" })).toBeVisible();
});

test("the console asks nobody but itself, and logs nothing", async ({ page }) => {
  const messages: string[] = [];
  const hosts = new Set<string>();
  page.on("console", (message) => messages.push(message.text()));
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  for (const view of VIEWS) {
    await page.goto(`${new URL(page.url()).origin}/${view}`);
    await expect(page.getByRole("status").filter({ hasText: "Loading" })).toHaveCount(0);
  }
  expect([...hosts]).toEqual([new URL(page.url()).host]);
  expect(messages).toEqual([]);
});

test("someone who asks to be deleted is found, and erased once their address is typed", async ({ page, db }) => {
  const { email } = await db.selectFrom("sign_ups").select("email").where("id", "=", "700").executeTakeFirstOrThrow();
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByLabel("Search").fill(email);
  await page.getByRole("button", { name: email }).press("Enter");
  await page.getByRole("button", { name: "Erase…" }).press("Enter");
  const erase = page.getByRole("button", { name: "Erase everything" });
  await expect(erase).toBeDisabled();
  await page.getByLabel("Address", { exact: true }).fill(email);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nobody matches these filters.")).toBeVisible();
  const { rows } = await sql`select from sign_ups where email = ${email}`.execute(db);
  expect(rows).toEqual([]);
});

test("scrolling to the end reaches the person who joined first", async ({ page, db }) => {
  test.slow();
  const first = await db.selectFrom("sign_ups").select("email").orderBy("id").limit(1).executeTakeFirstOrThrow();
  await page.getByRole("link", { name: "People", exact: true }).click();
  const list = page.getByRole("region", { name: "People" });
  await expect(async () => {
    await list.press("End");
    await expect(page.getByRole("button", { name: first.email })).toBeVisible({ timeout: 200 });
  }).toPass();
  expect(await list.getByRole("row").count()).toBeLessThan(80);
});

for (const view of ["people", "waves", "quarantine"]) {
  test(`no row of the list of ${view} covers another`, async ({ page }) => {
    await page.goto(`${new URL(page.url()).origin}/${view}`);
    const rows = page.locator("tbody tr");
    await expect(rows.nth(2)).toBeVisible();
    const tops = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(tops.length);
  });
}

test("the tables fit a window of 768 px", async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 900 });
  for (const view of ["people", "quarantine", "waves"]) {
    await page.goto(`${new URL(page.url()).origin}/${view}`);
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    const hidden = await page.getByRole("table").evaluate((table) => {
      const { scrollWidth = 0, clientWidth = 0 } = table.closest(".grid") ?? {};
      return scrollWidth - clientWidth;
    });
    expect(hidden, view).toBe(0);
  }
});

test("filters are part of the URL, and a link to a view shows the same people", async ({ page }) => {
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByLabel("Invited").selectOption("Invited");
  await expect(page).toHaveURL(/invited=yes/);
  await expect(page.getByRole("cell", { name: "Invited" }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("cell", { name: "Invited" }).first()).toBeVisible();
  await expect(page.getByRole("cell", { name: "Joined" })).toHaveCount(0);
});

test("entries in quarantine are released or dropped, many at once", async ({ page, db }) => {
  await page.getByRole("link", { name: "Quarantine" }).click();
  await page.getByRole("checkbox").nth(1).press("Space");
  await page.getByRole("button", { name: "Release" }).press("Enter");
  await expect(page.getByText("Select entries to release or drop")).toBeVisible();
  await page.getByLabel("Select all").press("Space");
  await page.getByRole("button", { name: "Drop…" }).press("Enter");
  await page.getByRole("button", { name: "Drop", exact: true }).press("Enter");
  await expect(page.getByText("Nothing is in quarantine.")).toBeVisible();
  const { rows } = await sql<{ people: number }>`select count(*)::integer as people from sign_ups`.execute(db);
  expect(rows[0]?.people).toBe(PEOPLE + 1);
});

test("axe finds no violations in any view, in light and dark mode", async ({ page }) => {
  test.slow();
  const { origin } = new URL(page.url());
  for (const path of [...VIEWS, "people/700", "people/999999", "nothing"]) {
    await page.goto(`${origin}/${path}`);
    await expect(page.locator("main")).not.toContainText("Loading");
    await page.waitForTimeout(300);
    await expectNoViolations(page, path);
  }
});

test.describe("read-only", () => {
  test.use({ isReadOnly: true });

  test("no view offers a change", async ({ page }) => {
    const { origin } = new URL(page.url());
    await expect(page.getByText("read-only")).toBeVisible();
    await page.goto(`${origin}/people/700`);
    await expect(page.getByRole("heading", { name: "Consent" })).toBeVisible();
    await expect(page.getByRole("button", { name: /Erase|Unsubscribe/ })).toHaveCount(0);
    await page.goto(`${origin}/quarantine`);
    await expect(page.getByRole("columnheader", { name: "Hidden field" })).toBeVisible();
    await expect(page.getByRole("checkbox")).toHaveCount(0);
  });
});

test.describe("an empty list", () => {
  test.use({ isEmpty: true });

  test("every view says that it is empty", async ({ page }) => {
    await expect(page.getByText("Nobody has signed up yet. This fills as people join.")).toBeVisible();
    await page.getByRole("link", { name: "People", exact: true }).click();
    await expect(page.getByText("Nobody has signed up yet.")).toBeVisible();
    await page.getByRole("link", { name: "Quarantine" }).click();
    await expect(page.getByText("Nothing is in quarantine.")).toBeVisible();
  });
});
