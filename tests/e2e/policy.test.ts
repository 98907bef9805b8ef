import type { Page } from "@playwright/test";
import { openFilledIn, openFullyLoaded, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** Collects the page's CSP violations and the console messages about them. */
async function watchForViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("reportViolation", (violation: string) => violations.push(violation));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
      (window as unknown as { reportViolation: (violation: string) => void }).reportViolation(
        `${violatedDirective} ${blockedURI} ${sample}`,
      );
    });
  });
  page.on("console", (message) => {
    if (/content security policy|trusted ?types?|integrity|cross-origin/i.test(message.text())) {
      violations.push(message.text());
    }
  });
  return violations;
}

test("the page logs nothing, and its backdrop, form and toast violate no CSP", async ({ page }) => {
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  const violations = await watchForViolations(page);
  await openFullyLoaded(page, "/");
  await expect(page.locator(".backdrop[data-quality]")).toBeAttached();
  expect(messages).toEqual([]);
  await page.goto("/nothing");
  await openFilledIn(page);
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press("F8");
  expect(violations).toEqual([]);
});
