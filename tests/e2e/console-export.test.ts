import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { button, expect, openFilter, refetch, test } from "#tests/support/console.ts";
import { expectedExport } from "#tests/support/expected-export.ts";
import { addMany } from "#tests/support/people.ts";

test.beforeEach(({ page }) => page.getByRole("link", { name: "Export" }).click());

async function exported(page: Page): Promise<{ name: string; content: string }> {
  const downloading = page.waitForEvent("download");
  await button(page, "Export").press("Enter");
  const download = await downloading;
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), "utf8") };
}

test("an export has the same bytes as the command line's with the same filters", async ({ page, db }) => {
  await expect(page.getByText("No exports in this session yet.")).toBeVisible();
  await expect(page.getByLabel("member link")).toHaveCount(0);
  const all = await exported(page);
  expect(all.name).toMatch(/^waitlist-\d{4}-\d\d-\d\d\.csv$/);
  expect(all.content).toBe(await expectedExport(db, {}, "csv", true));
  await refetch(page);
  await expect(page.getByText("Done", { exact: true })).toBeVisible();
  await expect(page.getByRole("list", { name: "Exports" })).toContainText("2,000 people");
  await expectNoViolationsLightAndDark(page);

  await (await openFilter(page, "Confirmed")).getByRole("button", { name: "Confirmed", exact: true }).click();
  await page.keyboard.press("Escape");
  await button(page, "JSON Lines").click();
  await expect(page).toHaveURL(/export\?confirmed=yes/);
  const lines = await exported(page);
  expect(lines.name).toMatch(/\.jsonl$/);
  expect(lines.content).toBe(await expectedExport(db, { confirmed: true }, "jsonl"));

  await button(page, "CSV").click();
  await page.getByLabel("For Excel").uncheck();
  expect((await exported(page)).content).toBe(await expectedExport(db, { confirmed: true }, "csv"));
});

test("an export shows its progress and can be canceled, which leaves no file", async ({ page, db }) => {
  await addMany(db, 100_000);
  const downloading = page.waitForEvent("download");
  await button(page, "Export").press("Enter");
  const download = await downloading;
  await expect(page.getByRole("progressbar")).toBeVisible();
  await button(page, "Cancel").press("Enter");
  await expect(page.getByText("Canceled", { exact: true })).toBeVisible();
  expect(await download.failure()).not.toBeNull();
});
