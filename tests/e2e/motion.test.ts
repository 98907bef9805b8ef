import type { Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { expectFadeIn, frames, INVISIBLE, played } from "#tests/support/animations.ts";
import { onEachScreen } from "#tests/support/screen.ts";
import { openFullyLoaded, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Makes the visitor's screen tall enough for all six cards, at the same width. */
async function makeTall(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  await page.setViewportSize({ width, height: width < 640 ? 3000 : 1400 });
}

test("hero text fades in over 1 s, 0.2 s apart, after 0.5 s", async ({ page }) => {
  await page.goto("/");
  async function expectFadeIns(): Promise<void> {
    const items = page.locator(".hero-item");
    await expect(items).toContainText([content.badge, content.headline[0], content.tagline, content.join]);
    expect(await played(items)).toEqual([0.5, 0.7, 0.9, 1.1].map((delay) => `${delay}s 1s 1 running`));
    for (const [i, item] of (await items.all()).entries()) await expectFadeIn(item, 500 + 200 * i, 1000);
    // The headline is readable after 1.2 s.
    expect((await frames(items.nth(1), [1200]))[0]?.[0]?.opacity).toBeGreaterThan(0.7);
  }
  await onEachScreen(page, expectFadeIns);
  // Checks a phone's width, whichever visitors run this.
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFadeIns();
});

test("five gradient pills with round ends fade in over 2.4 s with delays of 0.3 to 0.7 s", async ({ page }) => {
  await openFullyLoaded(page, "/");
  const pills = page.locator(".pill");
  const shapes = page.locator(".pill > * > *");
  await onEachScreen(page, async () => {
    const delays = [0.3, 0.5, 0.4, 0.6, 0.7];
    expect(await played(pills)).toEqual(delays.map((delay) => `${delay}s 2.4s 1 running`));
    for (const [i, pill] of (await pills.all()).entries()) await expectFadeIn(pill, 1000 * (delays[i] ?? 0), 2400);
    await expect(shapes).toHaveCount(5);
    for (const shape of await shapes.all()) await expect(shape).toBeInViewport();
    const looks = await shapes.evaluateAll((all) =>
      all.map((shape) => {
        const { width, height, borderRadius, backgroundImage } = getComputedStyle(shape);
        return {
          isSeen: shape.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
          isLong: Number.parseFloat(width) > 3 * Number.parseFloat(height),
          isRound: Number.parseFloat(borderRadius) >= Number.parseFloat(height) / 2,
          // Fades from a visible color to transparent.
          isGradient: /linear-gradient\(to right, color\(srgb [\d. ]+ \/ 0\.[1-9]/.test(backgroundImage),
        };
      }),
    );
    expect(looks).toEqual(Array(5).fill({ isSeen: true, isLong: true, isRound: true, isGradient: true }));
  });
});

test("the pills float vertically in a 12 s loop", async ({ page }) => {
  await openFullyLoaded(page, "/");
  const floats = page.locator(".pill > *");
  expect(await played(floats)).toEqual(Array(5).fill("0s 12s infinite running"));
  const seconds = Array.from({ length: 25 }, (_, i) => i / 2);
  const loops = await frames(floats, [...seconds.map((second) => 1000 * second), 15_000]);
  expect(loops).toHaveLength(5);
  for (const loop of loops) {
    const again = loop.pop();
    expect(again).toEqual(loop[6]);
    expect(loop.map(({ x }) => x)).toEqual(Array(25).fill(0));
    expect(loop.map(({ opacity }) => opacity)).toEqual(Array(25).fill(1));
    const ys = loop.map(({ y }) => y);
    expect([ys[0], ys[12], ys[24]]).toEqual([0, 15, 0]);
    for (const [i, y] of ys.slice(0, 12).entries()) {
      // Moves down for six seconds and up again, without jumps.
      expect((ys[i + 1] ?? 0) - y).toBeGreaterThan(0);
      expect((ys[i + 1] ?? 0) - y).toBeLessThan(3);
      expect(Math.abs((ys[24 - i] ?? 0) - y)).toBeLessThan(1.5);
    }
  }
  await page.locator(".backdrop").evaluate((backdrop) => backdrop.setAttribute("data-mode", "fallback"));
  expect(await played(floats)).toEqual(Array(5).fill("0s 12s infinite running"));
});

test("feature cards appear 0.1 s apart when scrolled into view", async ({ page }) => {
  await makeTall(page);
  await openPage(page);
  const cards = page.locator("#features li");
  await expect(cards.first()).toHaveAttribute("data-reveal", "waiting");
  await expect(cards.first()).toHaveCSS("opacity", "0");
  await page.locator("#features ul").evaluate((list) => list.scrollIntoView({ block: "center", behavior: "instant" }));
  await expect(cards.last()).toHaveAttribute("data-reveal", "shown");
  // All animations start together, so only their delays separate the cards.
  const starts = await cards.evaluateAll((all) => all.map((card) => card.getAnimations()[0]?.startTime));
  expect(new Set(starts).size).toBe(1);
  for (const [i, timing] of (await played(cards)).entries()) {
    const delay = i === 0 ? "0s" : `0.${i}s`;
    expect(timing).toBe(`${delay} 0.7s 1 running`);
    await expect(cards.nth(i)).toHaveCSS("opacity", "1");
    await expectFadeIn(cards.nth(i), 100 * i, 700);
  }
  // On a phone, the cards appear one after the other.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await expect(cards.first()).toHaveAttribute("data-reveal", "waiting");
  for (const card of await cards.all()) {
    await card.scrollIntoViewIfNeeded();
    await expect(card).toHaveAttribute("data-reveal", "shown");
  }
});

test("feature cards appear 0.1 s apart on arrival at /#features", async ({ page }) => {
  await makeTall(page);
  await page.addInitScript(() => {
    const frames: number[][] = [];
    Object.assign(window, { frames });
    const record = () => {
      const cards = [...document.querySelectorAll("#features li")];
      if (cards.length === 6) frames.push(cards.map((card) => Number(getComputedStyle(card).opacity)));
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
  await openPage(page, "/#features");
  const cards = page.locator("#features li");
  await expect(cards.last()).toHaveCSS("opacity", "1");
  for (const card of await cards.all()) await expect(card).toBeInViewport({ ratio: 1 });

  const frames = await page.evaluate(() => (window as unknown as { frames: number[][] }).frames);
  expect(frames[0]).toHaveLength(6);
  expect(Math.max(...(frames[0] ?? []))).toBeLessThan(INVISIBLE);
  for (const frame of frames) expect(frame).toEqual(frame.toSorted((a, b) => b - a));
  for (const [i, card] of (await cards.all()).entries()) await expectFadeIn(card, 100 * i, 700);
});
