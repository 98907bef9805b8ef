import { expect, test } from "#tests/support/console.ts";

test("a misspelled filter in the URL shows and exports nobody", async ({ page }) => {
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/people?campain=launch`);
  await expect(page.getByText("Some fields aren't valid.").first()).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(0);
  await page.goto(`${origin}/export?campain=launch`);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Some fields aren't valid." }).first()).toBeVisible();
  await expect(page.getByText("No exports in this session yet.")).toBeVisible();
});
