import type { Page } from "@playwright/test";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { fillIn, openFullyLoaded, openReadyToSubmit, submit, toast } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** Everything the browser refused because of the page's policy, and everything it complained about in doing so. */
async function watchForViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("reportViolation", (what: string) => violations.push(what));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
      (window as unknown as { reportViolation: (what: string) => void }).reportViolation(
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

test("the page runs under its policy without one violation, backdrop, form and toast included", async ({ page }) => {
  const violations = await watchForViolations(page);
  await openFullyLoaded(page, "/");
  await expect(page.locator(".backdrop[data-pace]")).toBeAttached();
  await page.goto("/nothing");
  await openReadyToSubmit(page);
  await fillIn(page, aSignUp());
  await submit(page);
  await expect(page.getByText("Successfully Joined!")).toBeVisible();
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press("F8");
  expect(violations).toEqual([]);
});

test("the policy is at work: a script from elsewhere, inline code and text as a script address are refused", async ({
  page,
}) => {
  const violations = await watchForViolations(page);
  await openFullyLoaded(page, "/");
  const refused = await page.evaluate(async () => {
    const inline = document.createElement("style");
    inline.textContent = "body { display: none }";
    document.head.append(inline);
    const picture = new Image();
    picture.src = "https://elsewhere.example/pixel.png";
    document.body.append(picture);
    try {
      new Worker("/assets/other.js");
      return "";
    } catch (reason) {
      return String(reason);
    }
  });
  expect(refused).toContain("TrustedScriptURL");
  await expect.poll(() => violations.join("\n")).toMatch(/style-src-elem/);
  await expect.poll(() => violations.join("\n")).toMatch(/img-src/);
});
