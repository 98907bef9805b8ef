import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { button, expect, openFilter, test } from "#tests/support/console.ts";
import { expectedExport } from "#tests/support/expected-export.ts";

test.beforeEach(({ page }) => page.getByRole("link", { name: "Export" }).click());

async function exported(page: Page): Promise<{ name: string; content: string }> {
  const downloading = page.waitForEvent("download");
  await button(page, "Export").press("Enter");
  const download = await downloading;
  return { name: download.suggestedFilename(), content: await readFile(await download.path(), "utf8") };
}

test("an export has the same bytes as the command line's with the same filters", async ({ page, db }) => {
  await expect(page.getByLabel("member link")).toHaveCount(0);
  const all = await exported(page);
  expect(all.name).toMatch(/^waitlist-\d{4}-\d\d-\d\d\.csv$/);
  expect(all.content).toBe(await expectedExport(db, {}, "csv", true));
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
