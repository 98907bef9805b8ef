import AxeBuilder from "@axe-core/playwright";
import { sql } from "kysely";
import { MAX_PAGE_SIZE } from "#console/contract.ts";
import { expect, test } from "#tests/support/console.ts";
import { addMany } from "#tests/support/people.ts";

test.beforeEach(async ({ page }) => {
  await page.getByRole("link", { name: "People", exact: true }).click();
  await expect(page.getByText("2,000 people")).toBeVisible();
});

test("every filter is part of the URL, and Clear removes them all", async ({ page }) => {
  await page.getByLabel("Confirmed").selectOption("Not confirmed");
  await page.getByLabel("Invited").selectOption("Not invited");
  await page.getByLabel("Rejected").selectOption("Not rejected");
  await page.getByLabel("Newsletter").selectOption("Not subscribed");
  await page.getByText("More filters").click();
  await page.getByLabel("Unsubscribed").selectOption("Unsubscribed");
  await page.getByLabel("Joined from").fill("2026-01-01");
  await page.getByLabel("Source").fill("linkedin");
  await expect(page).toHaveURL(/source=linkedin/);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    confirmed: "no",
    invited: "no",
    rejected: "no",
    newsletter: "no",
    unsubscribed: "yes",
    since: "2026-01-01",
    source: "linkedin",
  });
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/people\??$/);
  await expect(page.getByText("2,000 people")).toBeVisible();
});

test("clearing the only one of the further filters leaves them open, with the focus in its field", async ({ page }) => {
  await page.getByText("More filters").click();
  await page.getByLabel("Source").fill("linkedin");
  await expect(page).toHaveURL(/source=linkedin/);
  await page.getByLabel("Source").fill("");
  await expect(page).not.toHaveURL(/source/);
  await page.getByLabel("Source").pressSequentially("qr", { timeout: 3000 });
  await expect(page).toHaveURL(/source=qr/);
  await page.reload();
  await expect(page.getByLabel("Source")).toBeVisible();
});

test("a filter shows its people, and how many they are", async ({ page, db }) => {
  const { rows } = await sql<{ people: number }>`
    select count(*)::integer as people from sign_ups where utm ->> 'source' = 'qr'`.execute(db);
  await page.getByText("More filters").click();
  await page.getByLabel("Source").fill("qr");
  await expect(page.getByRole("cell", { name: "qr" }).first()).toBeVisible();
  await expect(page.getByText(`${rows[0]?.people} people`, { exact: true })).toBeVisible();
});

test("people are found by the beginning of their last name, while typing several words", async ({ page, db }) => {
  const person = await db
    .selectFrom("sign_ups")
    .select(["email", "first_name", "last_name"])
    .where("id", "=", "700")
    .executeTakeFirstOrThrow();
  await page.getByLabel("Search").fill(person.last_name.toUpperCase());
  await expect(page.getByRole("row").nth(1)).toContainText(person.last_name);
  await page.getByLabel("Search").fill("");
  await page.getByLabel("Search").pressSequentially(`${person.first_name} `);
  await page.waitForTimeout(600);
  await page.getByLabel("Search").pressSequentially(person.last_name);
  await expect(page.getByLabel("Search")).toHaveValue(`${person.first_name} ${person.last_name}`);
  await expect(page.getByRole("row").nth(1)).toContainText(`${person.first_name} ${person.last_name}`);
});

test("someone who is erased leaves the list, and the rows below move up", async ({ page, db }) => {
  const rows = await db.selectFrom("sign_ups").select("email").orderBy("id", "desc").limit(3).execute();
  const [, second, third] = rows.map(({ email }) => email);
  await page.getByRole("button", { name: second ?? "" }).click();
  await page.getByRole("button", { name: "Erase…" }).click();
  await page.getByLabel("Address", { exact: true }).fill(second ?? "");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row").nth(2)).toContainText(third ?? "");
  await expect(page.getByRole("button", { name: second ?? "" })).toHaveCount(0);
});

test("people who leave the list together and come back are in their places again", async ({ page, db }) => {
  await page.clock.install();
  await page.goto(`${new URL(page.url()).origin}/people?rejected=no`);
  const matching = db.selectFrom("sign_ups").select("email").where("rejected_at", "is", null).orderBy("id", "desc");
  const emails = (await matching.execute()).map(({ email }) => email);
  const reject = (rejectedAt: Date | null) =>
    sql`update sign_ups set rejected_at = ${rejectedAt} where email = any(${emails.slice(0, 150)})`.execute(db);
  const refetch = async () => {
    await page.clock.fastForward(6000);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  };
  const person = (email = "") => page.getByRole("button", { name: email, exact: true });
  await expect(person(emails[0])).toBeVisible();
  await reject(new Date());
  await refetch();
  await expect(person(emails[150])).toBeVisible();
  await reject(null);
  await refetch();
  await expect(person(emails[0])).toBeVisible();
});

test("a search with a control character and a misspelled filter are refused", async ({ page }) => {
  const { origin } = new URL(page.url());
  for (const query of ["search=%00", "compnay=Acme"]) {
    await page.goto(`${origin}/people?${query}`);
    await expect(page.getByText("Some fields aren't valid.")).toBeVisible();
  }
});

test("scrolling through 20,000 people keeps few rows in the document, and reads each page once", async ({
  page,
  db,
}) => {
  await addMany(db, 18_000);
  await page.reload();
  const list = page.getByRole("region", { name: "People" });
  await expect(list.getByRole("button", { name: "p18000@example.com" })).toBeVisible();
  const cursors: number[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/people") cursors.push(Number(searchParams.get("before")));
  });
  // Goes to the end of what has been read, until it reaches the last row.
  const maxRows = await list.evaluate(async (element) => {
    const rows = element.getElementsByTagName("tr");
    let most = 0;
    while (Number(rows[rows.length - 1]?.getAttribute("aria-rowindex")) <= 20_000) {
      element.scrollTo(0, element.scrollHeight);
      await new Promise(requestAnimationFrame);
      most = Math.max(most, rows.length);
    }
    return most;
  });
  expect(maxRows).toBeLessThan(80);
  await expect(list.getByRole("table")).toHaveAttribute("aria-rowcount", "20001");
  // Without the first two pages, which may have been requested before.
  expect(cursors.length).toBeGreaterThan(20_000 / MAX_PAGE_SIZE - 2);
  expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => b - a));
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations in the filters, while searching, or with nobody found, ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.getByText("More filters").click();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByLabel("Search").fill("zzzz");
    await expect(page.getByText("Nobody matches these filters.")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
