import type { Locator } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import { untilDrawing } from "#tests/support/backdrop.ts";
import { luminances } from "#tests/support/pixels.ts";
import { expectInOrder, expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { openFullyLoaded, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const SIZES = [
  { width: 320, height: 568 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

for (const size of SIZES) {
  test.describe(`at ${size.width} × ${size.height}`, () => {
    test.use({ viewport: size, contextOptions: { reducedMotion: "reduce" } });

    test("the hero fills the viewport on a near-black background, with no pill over its text and no sideways scrolling", async ({
      page,
    }) => {
      await page.goto("/");
      const hero = await page.locator("main > section").first().boundingBox();
      expect(hero).toMatchObject({ x: 0, y: 0, width: size.width });
      expect(hero?.height).toBeGreaterThanOrEqual(size.height);
      expect(hero?.height).toBeLessThan(size.height * 1.5);
      const strip = (await luminances(page, { x: 0, y: 70, width: size.width, height: 8 })).sort();
      expect(strip[strip.length / 2]).toBeLessThan(0.005);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);

      const overlaps = await page.evaluate(() => {
        const textRects = [...document.querySelectorAll(".hero-item")].map((item) => {
          const range = document.createRange();
          range.selectNodeContents(item);
          return range.getBoundingClientRect();
        });
        // Samples points of each rotated pill and looks for one inside a text rectangle.
        return [...document.querySelectorAll<HTMLElement>(".pill > * > *")].flatMap((pill, index) => {
          const box = pill.getBoundingClientRect();
          const rotation = new DOMMatrix(`rotate(${getComputedStyle(pill).rotate})`);
          const points: { x: number; y: number }[] = [];
          for (let u = 0; u <= 1; u += 0.02) {
            for (let v = 0; v <= 1; v += 0.1) {
              const local = new DOMPoint((u - 0.5) * pill.offsetWidth, (v - 0.5) * pill.offsetHeight);
              const { x, y } = local.matrixTransform(rotation);
              points.push({ x: box.x + box.width / 2 + x, y: box.y + box.height / 2 + y });
            }
          }
          const floatPx = 15;
          const overlapped = textRects.findIndex((rect) =>
            points.some(({ x, y }) => x > rect.left && x < rect.right && y + floatPx > rect.top && y < rect.bottom),
          );
          return overlapped < 0 ? [] : [`pill ${index} and text ${overlapped}`];
        });
      });
      expect(overlaps).toEqual([]);
    });
  });
}

test("the page has a near-black background and a full-screen backdrop fixed behind the content", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await untilDrawing(page);
  const backdrop = page.locator(".backdrop");
  await onEachScreen(page, async (screen) => {
    for (const top of [0, 900, 1e6]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
      await expect(backdrop).toBeVisible();
      expect(await backdrop.boundingBox()).toEqual({ x: 0, y: 0, ...screen });
      const isBehind = await page.evaluate(() => !document.elementFromPoint(innerWidth / 2, 400)?.closest(".backdrop"));
      expect(isBehind).toBe(true);
    }
  });
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(5, 6, 10)");
  await expect(backdrop).toHaveCSS("background-color", "rgb(5, 6, 10)");
  // Painted white, it is seen around a card and not over it.
  await page.locator("#features li").first().scrollIntoViewIfNeeded();
  await backdrop.evaluate((element: HTMLElement) => {
    element.style.background = "white";
    element.replaceChildren();
  });
  const { x = 0, y = 0 } = (await page.locator("#features li h3").first().boundingBox()) ?? {};
  const [beside = 0, ...row] = await luminances(page, { x: x - 60, y: y - 4, width: 70, height: 1 });
  expect(beside).toBeGreaterThan(0.9);
  expect(row.at(-1)).toBeLessThan(0.1);
});

test("the navigation bar stays fixed at the top, readable and above the content", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page);
  const bar = page.getByRole("banner");
  await onEachScreen(page, async ({ width }) => {
    for (const top of [0, 40, 1500, 1e6, 300]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
      expect(await bar.boundingBox()).toMatchObject({ x: 0, y: 0, width });
      const isOnTop = await page.evaluate(() => document.elementFromPoint(innerWidth / 2, 32)?.closest("header"));
      expect(isOnTop).toBeTruthy();
      await expectSeen(bar.locator(width < 768 ? "nav > a" : "a"));
      expect(await page.evaluate(() => scrollY > 0)).toBe(top > 0);
      if (top > 100) await expect(bar).toHaveCSS("background-color", /rgba\(5, 6, 10, 0\.7/);
      if (top === 0) await expect(bar).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    }
  });
});

test("the page doesn't scroll horizontally at 400% zoom", async ({ page }) => {
  // A window of 1280 px at 400% zoom is 320 CSS pixels wide.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto("/");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("the layout doesn't shift while loading or scrolling", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await openFullyLoaded(page, "/");
  for (let top = 0; top < 5000; top += 500) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("a toggle opens and closes the navigation links, again and again, by click and by keyboard", async ({
    page,
  }) => {
    await openPage(page);
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    const open = page.getByRole("button", { name: "Open menu" });
    const close = page.getByRole("button", { name: "Close menu" });
    for (const [width, key] of [
      [360, "click"],
      [360, "Enter"],
      [320, "Space"],
      [767, "click"],
    ] as const) {
      await page.setViewportSize({ width, height: 740 });
      const press = (toggle: Locator) => (key === "click" ? toggle.click() : toggle.press(key));
      await expect(links).toHaveText([brand.name]);
      await expect(open).toHaveAttribute("aria-expanded", "false");
      await press(open);
      await expect(close).toHaveAttribute("aria-expanded", "true");
      await expect(links).toHaveText([brand.name, "Features", "About", "Contact", "Join Waitlist"]);
      await expectSeen(links);
      await expectInOrder(links);
      for (const link of await links.all()) expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await press(close);
    }
    await expect(links).toHaveText([brand.name]);
    await page.setViewportSize({ width: 768, height: 740 });
    await expect(open).toBeHidden();
    await expect(links).toHaveText([brand.name, "Features", "About", "Contact", "Join Waitlist"]);
  });

  test("the menu closes when a link is chosen, on Escape and on a tap outside", async ({ page }) => {
    await openPage(page);
    const open = page.getByRole("button", { name: "Open menu" });
    const about = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" });

    await open.click();
    await about.click();
    await expect(about).toBeHidden();
    await open.click();
    await page.keyboard.press("Escape");
    await expect(about).toBeHidden();
    await expect(open).toBeFocused();

    await open.click();
    await page.mouse.click(180, 700);
    await expect(about).toBeHidden();
  });

  test("the open menu traps focus", async ({ page }) => {
    await openPage(page);
    await page.getByRole("button", { name: "Open menu" }).click();
    await expect(page.getByRole("button", { name: "Close menu" })).toBeVisible();
    const names = [];
    for (let tab = 0; tab < 6; tab += 1) {
      await page.keyboard.press("Tab");
      names.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
        ),
      );
    }
    expect(names).toEqual(["Features", "About", "Contact", "Join Waitlist", "Close menu", "Features"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await expect(page.getByRole("link", { name: "Join Waitlist", exact: true })).toBeFocused();
  });

  test("the menu opens without JavaScript", async ({ browser, site }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto(site.origin);
    await page.locator("button[popovertarget=menu]").click();
    await expect(page.locator("#menu a").first()).toBeVisible();
    await context.close();
  });
});
