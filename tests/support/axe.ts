import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Uses legacy mode, because otherwise each run opens a second page to merge the frames' results. Excludes iframes,
 * because axe can't run in a frame without scripts; mail-kinds.test.ts runs axe on each email.
 */
const axe = (page: Page) => new AxeBuilder({ page }).exclude("iframe").setLegacyMode();

export async function expectNoViolations(page: Page, name?: string): Promise<void> {
  expect((await axe(page).analyze()).violations, name).toEqual([]);
}

/** Expects no violations in light mode; in dark mode checks only contrast, because nothing else differs. */
export async function expectNoViolationsLightAndDark(page: Page, name?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await expectNoViolations(page, name);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe(page).withRules("color-contrast").analyze()).violations, name).toEqual([]);
}
