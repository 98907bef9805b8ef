import type { Page } from "@playwright/test";
import type { Email } from "postal-mime";
import { dark, mail as mailColors } from "#brand/tokens.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { computedColor } from "#tests/support/screen.ts";
import { expect, test } from "./mail-fixtures.ts";

/** Leaves the current page first, because its CSP would block setContent(). */
async function show(page: Page, { html = "" }: Email): Promise<void> {
  await page.goto("about:blank");
  await page.setContent(html);
}

test("every kind of email has no axe violations and fits a phone", async ({ page, mailSite: { mails } }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  for (const [kind, mail] of Object.entries(mails)) {
    // No images, because many mail clients block them.
    expect(mail.html).not.toMatch(/<img|background-image|url\(/);
    await show(page, mail);
    await expectNoViolationsLightAndDark(page, kind);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await expect(page.locator("body")).toHaveCSS("background-color", computedColor(dark.ground));
    await page.emulateMedia({ colorScheme: "light" });
    await expect(page.locator("body")).toHaveCSS("background-color", computedColor(mailColors.ground));
  }
});
