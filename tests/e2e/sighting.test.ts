import type { Page } from "@playwright/test";
import { BACKDROP_SCRIPT } from "#tests/support/backdrop.ts";
import { holdRequests } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

// Without the backdrop, because drawing it would take both cores.
test.beforeEach(({ page }) => holdRequests(page, BACKDROP_SCRIPT));

const CYAN = "rgb(34, 211, 238)";
const RED = "rgb(255, 93, 115)";

/** Every animation of the page at this time after load. */
async function at(page: Page, ms: number): Promise<void> {
  await page.evaluate((time) => {
    for (const animation of document.getAnimations()) {
      if (!(animation.timeline instanceof DocumentTimeline)) continue;
      animation.pause();
      animation.currentTime = time;
    }
  }, ms);
}

const look = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { opacity, backgroundColor } = getComputedStyle(element);
    const cover = getComputedStyle(element, "::after");
    return { opacity: Number(opacity), color: cover.opacity === "1" ? cover.backgroundColor : backgroundColor };
  });

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];

test("a dot lights up on a crossing of the grid, away from the words, each time elsewhere", async ({ page }) => {
  await page.goto("/");
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    const words = await page.locator(".hero-item").evaluateAll((items) =>
      items.map((item) => {
        const range = document.createRange();
        range.selectNodeContents(item);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
    const cell = height / 10;
    const seen = new Set<string>();
    for (const loop of [0, 1, 2]) {
      await at(page, 3000 + loop * 12_000 + 4000);
      const box = (await page.locator(".sighting-dot").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      seen.add(`${x} ${y}`);
      for (const fromCenter of [(x - width / 2) / cell, (y - height / 2) / cell]) {
        expect(fromCenter).toBeCloseTo(Math.round(fromCenter), 1);
      }
      expect(x).toBeGreaterThan(20);
      expect(x).toBeLessThan(width - 20);
      const ring = 14;
      const crossed = words.filter(
        ({ left, right, top, bottom }) => x + ring > left && x - ring < right && y + ring > top && y - ring < bottom,
      );
      expect(crossed).toEqual([]);
    }
    expect(seen.size).toBe(3);
  }
});

test("after three seconds the dot is red, then ringed and cyan, and the badge's dot pulses", async ({ page }) => {
  await page.goto("/");
  await at(page, 2900);
  expect(await look(page, ".sighting-dot")).toMatchObject({ opacity: 0 });
  await at(page, 4000);
  expect(await look(page, ".sighting-dot")).toEqual({ opacity: 1, color: RED });
  await at(page, 5500);
  expect(await look(page, ".sighting-dot")).toEqual({ opacity: 1, color: CYAN });
  expect(await look(page, ".sighting-ring")).toMatchObject({ opacity: 1 });
  expect((await page.locator(".sighting-ring").boundingBox())?.width).toBeCloseTo(26, 0);
  const pulse = page.locator(".badge-dot").evaluate((badge) => getComputedStyle(badge, "::after").transform);
  expect(await pulse).not.toBe("matrix(1, 0, 0, 1, 0, 0)");
  await at(page, 14_000);
  expect(await look(page, ".sighting-dot")).toMatchObject({ opacity: 0 });
  // Without motion it is found from the start.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  expect(await look(page, ".sighting-dot")).toEqual({ opacity: 1, color: CYAN });
  expect(await look(page, ".sighting-ring")).toMatchObject({ opacity: 1 });
});
