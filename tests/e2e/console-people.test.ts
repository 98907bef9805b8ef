import AxeBuilder from "@axe-core/playwright";
import { sql } from "kysely";
import { expect, test } from "#tests/support/console.ts";

test.beforeEach(async ({ page }) => {
  await page.getByRole("link", { name: "People", exact: true }).click();
  await expect(page.getByText("2,000 people")).toBeVisible();
});

test("every filter is part of the URL, and Clear removes them all", async ({ page }) => {
  await page.getByLabel("Confirmed").selectOption("Not confirmed");
  await page.getByLabel("Invited").selectOption("Not invited");
  await page.getByLabel("Rejected").selectOption("Not rejected");
  await page.getByLabel("Newsletter").selectOption("Unsubscribed");
  await page.getByText("More filters").click();
  await page.getByLabel("Joined from").fill("2026-01-01");
  await page.getByLabel("Source").fill("linkedin");
  await expect(page).toHaveURL(/source=linkedin/);
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    confirmed: "no",
    invited: "no",
    rejected: "no",
    unsubscribed: "yes",
    since: "2026-01-01",
    source: "linkedin",
  });
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/people\??$/);
  await expect(page.getByText("2,000 people")).toBeVisible();
});

test("a filter that no index serves shows the people of that source, and how many once all are read", async ({
  page,
  db,
}) => {
  const { rows } = await sql<{ people: number }>`
    select count(*)::integer as people from sign_ups where utm ->> 'source' = 'qr'`.execute(db);
  await page.getByText("More filters").click();
  await page.getByLabel("Source").fill("qr");
  await expect(page.getByRole("cell", { name: "qr" }).first()).toBeVisible();
  await page.getByRole("region", { name: "People" }).press("End");
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

test("an address with a control character is refused, not an error of the database", async ({ page }) => {
  await page.goto(`${new URL(page.url()).origin}/people?search=%00`);
  await expect(page.getByText("Some fields aren't valid.")).toBeVisible();
});

test("scrolling through 40,000 people keeps few rows in the document and memory steady", async ({ page, db }) => {
  test.setTimeout(180_000);
  await sql`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter)
    select address, address, 'Ada', 'Lovelace', false
    from generate_series(1, 40000) as number, format('p%s@example.com', number) as address`.execute(db);
  await page.reload();
  await expect(page.getByRole("button", { name: "p40000@example.com" })).toBeVisible();
  const list = page.getByRole("region", { name: "People" });
  const memory = async () => {
    // People who are out of sight stay in memory for ten seconds.
    await page.waitForTimeout(11_000);
    const client = await page.context().newCDPSession(page);
    await client.send("HeapProfiler.collectGarbage");
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    await client.detach();
    return usedSize / 1e6;
  };
  const scrollTo = (row: number) =>
    expect(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      const last = await list.evaluate((element) =>
        Math.max(...[...element.querySelectorAll("tr")].map((tr) => Number(tr.getAttribute("aria-rowindex")))),
      );
      expect(last).toBeGreaterThan(row);
    }).toPass({ timeout: 150_000, intervals: [10] });
  await scrollTo(4000);
  const early = await memory();
  await scrollTo(40_000);
  const late = await memory();
  expect(await list.getByRole("row").count()).toBeLessThan(80);
  // They take 6 MB if they are kept; what remains is where each page starts.
  expect(late - early).toBeLessThan(2);
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
