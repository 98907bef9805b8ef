import type { Locator, Page } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import * as content from "#brand/content.ts";
import { expectInOrder, expectSeen } from "#tests/support/screen.ts";
import { failToJoin, openPage, openToFail, runUntilToast, toast } from "#tests/support/visitor.ts";
import { activate } from "#tests/support/visitors.ts";
import { expect, test } from "./fixtures.ts";

// A phone-sized window for every visitor.
test.use({ viewport: { width: 360, height: 740 } });

const toggle = (page: Page) => page.locator("header button");
const menu = (page: Page) => page.locator("#menu");

async function openMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: content.openMenu }).click();
  await expect(toggle(page)).toHaveAttribute("aria-expanded", "true");
}

test("a toggle opens and closes the navigation links repeatedly, by click and by keyboard", async ({ page }) => {
  await openPage(page);
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const open = page.getByRole("button", { name: content.openMenu });
  const close = page.getByRole("button", { name: content.closeMenu });
  for (const width of [360, 320, 767]) {
    await page.setViewportSize({ width, height: 740 });
    const press = (toggle: Locator) => (width === 320 ? toggle.press("Space") : activate(toggle));
    await expect(links).toHaveText([brand.name]);
    await expect(open).toHaveAttribute("aria-expanded", "false");
    await press(open);
    await expect(close).toHaveAttribute("aria-expanded", "true");
    await expect(links).toHaveText([brand.name, ...Object.keys(content.navLinks), content.navButton]);
    await expectSeen(links);
    await expectInOrder(links);
    for (const link of await links.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await press(close);
  }
  await expect(links).toHaveText([brand.name]);
  await page.setViewportSize({ width: 768, height: 740 });
  await expect(open).toBeHidden();
  await expect(links).toHaveText([brand.name, ...Object.keys(content.navLinks), content.navButton]);
});

test("the open menu traps focus, and closes by a link, Escape or a tap outside", async ({ page }) => {
  await openPage(page);
  const open = page.getByRole("button", { name: content.openMenu });
  const about = menu(page).getByRole("link", { name: "About" });
  await openMenu(page);
  const names = [];
  for (let tab = 0; tab < 6; tab += 1) {
    await page.keyboard.press("Tab");
    names.push(
      await page.evaluate(
        () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
      ),
    );
  }
  expect(names).toEqual([...Object.keys(content.navLinks), content.navButton, content.closeMenu, "Features"]);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(menu(page).getByRole("link", { name: content.navButton })).toBeFocused();

  await about.click();
  await expect(about).toBeHidden();
  await openMenu(page);
  await page.keyboard.press("Escape");
  await expect(about).toBeHidden();
  await expect(open).toBeFocused();
  await openMenu(page);
  await page.mouse.click(180, 700);
  await expect(about).toBeHidden();
});

test("rotating a phone to a wide screen closes the menu, and Tab goes past its links", async ({ page }) => {
  await openPage(page);
  await openMenu(page);
  await page.setViewportSize({ width: 800, height: 360 });
  await expect(page.locator("#menu:popover-open")).toHaveCount(0);
  const links = await menu(page).getByRole("link").all();
  const tops = await Promise.all(links.map(async (link) => (await link.boundingBox())?.y));
  expect(Math.max(...tops.map(Number)) - Math.min(...tops.map(Number))).toBeLessThan(10);
  await links.at(-1)?.focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: content.join })).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(toggle(page)).toHaveAttribute("aria-expanded", "false");
});

test("at 400% zoom the menu scrolls to its last link, and the page doesn't scroll sideways", async ({ page }) => {
  // A window of 1280 px at 400% zoom is 320 CSS pixels wide.
  await page.setViewportSize({ width: 320, height: 256 });
  await openPage(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await openMenu(page);
  await expect.poll(() => menu(page).evaluate((element) => element.getBoundingClientRect().bottom)).toBe(256);
  await page.mouse.move(160, 160);
  await page.mouse.wheel(0, 400);
  await expect(menu(page).getByRole("link", { name: content.navButton })).toBeInViewport({ ratio: 1 });
});

test("a toast is above the open menu, whichever of the two comes first", async ({ page }) => {
  await openToFail(page);
  const texts = toast(page).locator("> :not(button)");
  await failToJoin(page);
  await openMenu(page);
  await expectSeen(texts);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast(page)).toHaveCount(0);
  await openMenu(page);
  await page.locator("form").evaluate((form: HTMLFormElement) => form.requestSubmit());
  await runUntilToast(page);
  await expect(menu(page)).toBeVisible();
  await expectSeen(texts);
});
