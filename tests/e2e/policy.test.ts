import { openFilledIn, openFullyLoaded, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("the page logs nothing, and its backdrop, form and toast violate no CSP", async ({ page }) => {
  // The browser logs every violation.
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  await openFullyLoaded(page, "/");
  await expect(page.locator(".backdrop[data-quality]")).toBeAttached();
  await openFilledIn(page);
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press("F8");
  expect(messages).toEqual([]);
  await openFullyLoaded(page, "/nothing");
  expect(messages).toEqual([expect.stringContaining("404")]);
});
