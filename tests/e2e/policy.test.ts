import type { Page } from "@playwright/test";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openFullyLoaded, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";
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

test("the page hydrates without a word to the console, and its backdrop, form and toast cause no CSP violation", async ({
  page,
}) => {
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  const violations = await watchForViolations(page);
  await openFullyLoaded(page, "/");
  await expect(page.locator(".backdrop[data-quality]")).toBeAttached();
  expect(messages).toEqual([]);
  await page.goto("/nothing");
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press("F8");
  expect(violations).toEqual([]);
});

test("the CSP blocks inline styles, images from other sites and workers at untrusted URLs", async ({ page }) => {
  const violations = await watchForViolations(page);
  await openFullyLoaded(page, "/");
  const error = await page.evaluate(async () => {
    const inline = document.createElement("style");
    inline.textContent = "body { display: none }";
    document.head.append(inline);
    const image = new Image();
    image.src = "https://elsewhere.example/pixel.png";
    document.body.append(image);
    try {
      new Worker("/assets/other.js");
      return "";
    } catch (reason) {
      return String(reason);
    }
  });
  expect(error).toContain("TrustedScriptURL");
  await expect.poll(() => violations.join("\n")).toMatch(/style-src-elem/);
  await expect.poll(() => violations.join("\n")).toMatch(/img-src/);
});
