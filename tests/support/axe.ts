import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Expects no axe violations in light mode, and in dark mode none of the colors, because nothing else depends on it.
 * Without frames: axe can't run in one without scripts, and mail-kinds.test.ts runs it on each mail.
 */
export async function expectNoViolations(page: Page, name?: string): Promise<void> {
  const axe = () => new AxeBuilder({ page }).exclude("iframe");
  await page.emulateMedia({ colorScheme: "light" });
  expect((await axe().analyze()).violations, name).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe().withRules("color-contrast").analyze()).violations, name).toEqual([]);
}
