import type { Page } from "@playwright/test";
import { STATS_PATH } from "#contract/paths.ts";
import { HYDRATION_SCRIPT, holdRequests, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ viewport: { width: 360, height: 740 } });

const toggle = (page: Page) => page.locator("header button");
const menu = (page: Page) => page.locator("#menu");
const isOpen = (page: Page) => menu(page).evaluate((element) => element.matches(":popover-open"));

async function openMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(toggle(page)).toHaveAttribute("aria-expanded", "true");
}

test("turning a phone to a wide screen closes the menu: its links are a row, and Tab leads past them", async ({
  page,
}) => {
  await openPage(page);
  await openMenu(page);
  await page.setViewportSize({ width: 800, height: 360 });
  await expect.poll(() => isOpen(page)).toBe(false);
  const links = await menu(page).getByRole("link").all();
  const tops = await Promise.all(links.map(async (link) => (await link.boundingBox())?.y));
  expect(Math.max(...tops.map(Number)) - Math.min(...tops.map(Number))).toBeLessThan(10);
  await links.at(-1)?.focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: "Join the Waitlist" })).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(toggle(page)).toHaveAttribute("aria-expanded", "false");
});

test("at 400% zoom the menu scrolls to its last link", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await openPage(page);
  await openMenu(page);
  await expect.poll(() => menu(page).evaluate((element) => element.getBoundingClientRect().bottom)).toBe(256);
  await page.mouse.move(160, 160);
  await page.mouse.wheel(0, 400);
  await expect(menu(page).getByRole("link", { name: "Join Waitlist" })).toBeInViewport({ ratio: 1 });
});

test("a menu opened before hydration is announced as open", async ({ page }) => {
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await page.goto("/", { waitUntil: "commit" });
  await toggle(page).click();
  const hydrated = page.waitForResponse(`**${STATS_PATH}`);
  release();
  await hydrated;
  expect(await isOpen(page)).toBe(true);
  await expect(page.getByRole("button", { name: "Close menu" })).toHaveAttribute("aria-expanded", "true");
});

test("the menu slides in, except while motion is paused and under prefers-reduced-motion", async ({ page }) => {
  const slides = () =>
    menu(page).evaluate((element: HTMLElement) => {
      element.showPopover();
      const { length } = element.getAnimations();
      element.hidePopover();
      return length > 0;
    });
  await openPage(page);
  expect(await slides()).toBe(true);
  await page.evaluate(() => document.documentElement.setAttribute("data-motion", "paused"));
  expect(await slides()).toBe(false);
  await page.evaluate(() => document.documentElement.removeAttribute("data-motion"));
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await slides()).toBe(false);
});
