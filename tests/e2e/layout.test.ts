import type { Page } from "@playwright/test";
import { BACKDROP_SCRIPT } from "#tests/support/backdrop.ts";
import { luminances } from "#tests/support/pixels.ts";
import { expectInOrder, expectSeen, onEachScreen } from "#tests/support/screen.ts";
import { holdRequests, openFullyLoaded, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("the hero fills the viewport on near-black, with no pill over its text", async ({ page }) => {
  // Keeps the backdrop from drawing.
  await holdRequests(page, BACKDROP_SCRIPT);
  await page.goto("/");
  await onEachScreen(page, async (size) => {
    await finishFades(page);
    const hero = await page.locator("main > section").first().boundingBox();
    expect(hero).toMatchObject({ x: 0, y: 0, width: size.width });
    expect(hero?.height).toBeGreaterThanOrEqual(size.height);
    expect(hero?.height).toBeLessThan(size.height * 1.5);
    const strip = (await luminances(page, { x: 0, y: 70, width: size.width, height: 8 })).sort();
    expect(strip[strip.length / 2]).toBeLessThan(0.005);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
    expect(await pillsOverText(page)).toEqual([]);
  });
});

const LOW_SCREENS = [
  [320, 568],
  [360, 640],
  [375, 553],
  [390, 664],
  [568, 320],
  [640, 360],
  [667, 375],
  [844, 390],
  [1024, 600],
  [1280, 600],
] as const;

test("the hero with its scroll hint fits on the first screen, however low", async ({ page }) => {
  await openPage(page);
  const texts = page.locator(".hero-item, .scroll-hint");
  const badge = page.locator(".hero-item").first();
  const track = page.locator(".scroll-hint > span");
  for (const [width, height] of LOW_SCREENS) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    const place = `${width}x${height}`;
    expect(await page.locator(".hero").boundingBox(), place).toMatchObject({ y: 0, height });
    expect((await badge.boundingBox())?.y, place).toBeGreaterThanOrEqual(64);
    await expect(track, place).toBeInViewport({ ratio: 1 });
    await expectInOrder(texts);
    expect(await pillsOverText(page), place).toEqual([]);
    await expectSeen(texts);
  }
});

/** Skips to the end of all animations except infinite ones. */
const finishFades = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
  });

/** Samples points of each rotated, floating pill, and returns the pills that cross or touch a text's rectangle. */
const pillsOverText = (page: Page) =>
  page.evaluate(() => {
    const textRects = [...document.querySelectorAll(".hero-item")].map((item) => {
      const range = document.createRange();
      range.selectNodeContents(item);
      return range.getBoundingClientRect();
    });
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
      const [floatPx, gapPx] = [15, 2];
      const overlapped = textRects.findIndex(({ left, right, top, bottom }) =>
        points.some(
          ({ x, y }) => x > left - gapPx && x < right + gapPx && y + floatPx > top - gapPx && y < bottom + gapPx,
        ),
      );
      return overlapped < 0 ? [] : [`pill ${index} and text ${overlapped}`];
    });
  });

test("the navigation bar stays fixed at the top, readable and above the content", async ({ page }) => {
  await openPage(page);
  const bar = page.locator("header");
  await onEachScreen(page, async ({ width }) => {
    for (const top of [0, 40, 1500, 1e6, 300]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
      expect(await bar.boundingBox()).toMatchObject({ x: 0, y: 0, width });
      const isOnTop = await page.evaluate(() => document.elementFromPoint(innerWidth / 2, 32)?.closest("header"));
      expect(isOnTop).toBeTruthy();
      await expectSeen(bar.locator(width < 768 ? "nav > a, nav > button" : "a"));
      expect(await page.evaluate(() => scrollY > 0)).toBe(top > 0);
      if (top > 100) await expect(bar).toHaveCSS("background-color", /rgba\(5, 6, 10, 0\.7/);
      if (top === 0) await expect(bar).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    }
  });
});

test("at 320 px with text of twice the size, the page doesn't scroll sideways", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 2000 });
  await openPage(page);
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectSeen(page.locator("h1, h2, h3, p, dt, dd").filter({ visible: true }));
});

test("the layout doesn't shift while loading or scrolling", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await openFullyLoaded(page, "/");
  for (let top = 0; top < 5000; top += 500) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});
