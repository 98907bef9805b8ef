import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { sql } from "kysely";
import { expect, test } from "#tests/support/console.ts";
import { expectedExport } from "#tests/support/expected-export.ts";

test.beforeEach(({ page }) => page.getByRole("link", { name: "Export" }).click());

async function exported(page: Page): Promise<{ name: string; content: string }> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).press("Enter");
  const download = await downloading;
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), "utf8") };
}

test("the file has the bytes of the command line's, with the same filters", async ({ page, db }) => {
  const all = await exported(page);
  expect(all.name).toMatch(/^waitlist-\d{4}-\d\d-\d\d\.csv$/);
  expect(all.content).toBe(await expectedExport(db, {}, "csv"));
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  await expect(page.getByRole("list", { name: "Exports" })).toContainText("2,000 people");

  await page.getByLabel("Confirmed").selectOption("Confirmed");
  await page.getByRole("button", { name: "JSON Lines" }).click();
  await expect(page).toHaveURL(/export\?confirmed=yes/);
  const lines = await exported(page);
  expect(lines.name).toMatch(/\.jsonl$/);
  expect(lines.content).toBe(await expectedExport(db, { confirmed: true }, "jsonl"));

  await page.getByRole("button", { name: "CSV" }).click();
  await page.getByLabel("For Excel").check();
  expect((await exported(page)).content).toBe(await expectedExport(db, { confirmed: true }, "csv", true));
});

test("links aren't offered without the servers' keys", async ({ page }) => {
  await expect(page.getByLabel("member link")).toHaveCount(0);
});

test("an export shows its progress and can be canceled, which leaves no file", async ({ page, db }) => {
  test.setTimeout(120_000);
  await sql`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter)
    select address, address, repeat('Ada ', 20), 'Lovelace', false
    from generate_series(1, 600000) as number, format('p%s@example.com', number) as address`.execute(db);
  await sql`update totals set users = 602000 where slot = 0`.execute(db);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).press("Enter");
  const download = await downloading;
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(page.getByText("Canceled", { exact: true })).toBeVisible();
  expect(await download.failure()).not.toBeNull();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations before and after an export, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await expect(page.getByText("No exports in this session yet.")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await exported(page);
    await expect(page.getByText("Done", { exact: true })).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
