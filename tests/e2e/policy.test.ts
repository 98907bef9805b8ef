import { joinedTitle, openFilledIn, openFullyLoaded, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("the page logs nothing, violates no CSP, and leaves WebGL to the worker", async ({ page }) => {
  // The browser logs every CSP violation.
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  // Reports any WebGL context of the page, because creating one can block the main thread for half a second.
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = (kind: string) => {
      console.error(`The page creates a ${kind} context`);
      return null;
    };
  });
  await openFullyLoaded(page, "/");
  await expect(page.locator(".backdrop[data-quality]")).toBeAttached();
  await openFilledIn(page);
  await submit(page);
  await expect(joinedTitle(page)).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press("F8");
  expect(messages).toEqual([]);
  await openFullyLoaded(page, "/nothing");
  expect(messages).toEqual([expect.stringContaining("404")]);
});
