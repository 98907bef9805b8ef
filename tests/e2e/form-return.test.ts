import { STATS_PATH } from "#contract/paths.ts";
import { button, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("/#joined typed by hand shows the form, not the success card", async ({ page }) => {
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/#joined")]);
  await expect(page.locator(".toast-viewport")).toBeAttached();
  await expect(page.getByText("Successfully Joined!")).toHaveCount(0);
  await expect(button(page)).toBeVisible();
});

test("/#already-joined typed by hand shows no error", async ({ page }) => {
  await Promise.all([page.waitForResponse(`**${STATS_PATH}`), page.goto("/#already-joined")]);
  await expect(page.locator(".toast-viewport")).toBeAttached();
  await expect(toast(page)).toHaveCount(0);
  await expect(page).toHaveURL(/#already-joined$/);
});
