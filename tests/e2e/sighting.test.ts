import type { Page } from "@playwright/test";
import { dark } from "#brand/tokens.ts";
import { BACKDROP_SCRIPT } from "#tests/support/backdrop.ts";
import { computedColor } from "#tests/support/screen.ts";
import { holdRequests } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

// Keeps the backdrop from drawing, because drawing would take both cores.
test.beforeEach(({ page }) => holdRequests(page, BACKDROP_SCRIPT));

const FOUND = computedColor(dark.accentFar);
const THREAT = computedColor(dark.threat);

/** Seeks every animation to this time after load. */
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
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
  { width: 2560, height: 1440 },
];

test("a ringed dot is on the horizon, on a grid intersection and below the text", async ({ page }) => {
  await page.goto("/");
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await at(page, 4000);
    const box = (await page.locator(".sighting-ring").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([box.width, box.height]).toEqual([44, 44]);
    const [fromCenter, fromTop] = [(box.x + 22 - width / 2) / (height / 10), (box.y + 22) / height];
    expect(fromCenter).toBeCloseTo(Math.round(fromCenter), 1);
    expect(fromTop).toBeCloseTo(0.7, 2);
    const bottoms = await page
      .locator(".hero-item")
      .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().bottom));
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(box.y);
    expect(box.x + box.width).toBeLessThan(width - 16);
  }
});

test("1.6 s after load a red dot rises, a ring closes on it, it turns cyan, and its neighbors light up once", async ({
  page,
}) => {
  await page.goto("/");
  const ringWidth = async () => (await page.locator(".sighting-ring").boundingBox())?.width;
  await at(page, 1500);
  expect((await look(page, ".sighting-dot")).opacity).toBeLessThan(0.01);
  await at(page, 1800);
  expect(await ringWidth()).toBeCloseTo(160, 0);
  await at(page, 2300);
  expect(await look(page, ".sighting-dot")).toEqual({ opacity: 1, color: THREAT });
  await at(page, 3300);
  expect(await look(page, ".sighting-dot")).toEqual({ opacity: 1, color: FOUND });
  expect(await ringWidth()).toBe(44);
  expect((await look(page, ".sighting-field")).opacity).toBeGreaterThan(0.5);
  await at(page, 6000);
  expect(await look(page, ".sighting-field")).toMatchObject({ opacity: 0 });
  // With reduced motion, the dot is cyan from the start.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  expect(await look(page, ".sighting-dot")).toEqual({ opacity: 1, color: FOUND });
  expect(await look(page, ".sighting-ring")).toMatchObject({ opacity: 1 });
});
