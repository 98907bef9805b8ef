import { sql } from "kysely";
import { expect, test } from "#tests/support/console.ts";

test.beforeEach(async ({ page, db }) => {
  await sql`
    insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
    select address, address, 'Cheap', 'Backlinks', false, 'https://top.example'
    from generate_series(1, 9000) as number, format('bot%s@example.com', number) as address`.execute(db);
  await page.getByRole("link", { name: "Quarantine" }).click();
  await expect(page.getByLabel("Select bot9000@example.com")).toBeVisible();
});

test("thousands of entries keep few rows in the document, and all of them are dropped at once", async ({
  page,
  db,
}) => {
  expect(await page.getByRole("row").count()).toBeLessThan(80);
  await page.getByLabel("Select all").press("Space");
  await page.getByRole("button", { name: "Drop…" }).press("Enter");
  await page.getByRole("button", { name: "Drop", exact: true }).press("Enter");
  await expect(page.getByText("Nothing is in quarantine.")).toBeVisible();
  await expect(page.getByText(/^Dropped 9,0\d\d entries\.$/)).toBeVisible();
  expect(await db.selectFrom("quarantine").select("id").execute()).toEqual([]);
});

test("Space, the arrow keys and Shift select entries, and the outcome of a release is shown", async ({ page }) => {
  await page.getByLabel("Select bot9000@example.com").press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await expect(page.getByText("4 entries selected")).toBeVisible();
  await expect(page.getByLabel("Select bot8999@example.com")).not.toBeChecked();
  await expect(page.getByLabel("Select bot8996@example.com")).toBeFocused();
  await page.getByLabel("Select bot8990@example.com").click();
  await page.getByLabel("Select bot8985@example.com").click({ modifiers: ["Shift"] });
  await expect(page.getByText("10 entries selected")).toBeVisible();
  await page.getByRole("button", { name: "Release" }).press("Enter");
  await expect(page.getByText("Released 10 entries: 10 joined the list.")).toBeVisible();
  await expect(page.getByText("Select entries to release or drop")).toBeVisible();
});

test("Shift selects from the entry that was clicked last, although others have come in since", async ({ page, db }) => {
  await page.getByLabel("Select bot8990@example.com").click();
  await sql`
    insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
    values ('new@example.com', 'new@example.com', 'Cheap', 'Backlinks', false, 'x')`.execute(db);
  await expect(page.getByLabel("Select new@example.com")).toBeVisible();
  await page.getByLabel("Select bot8985@example.com").click({ modifiers: ["Shift"] });
  await expect(page.getByText("6 entries selected")).toBeVisible();
});
