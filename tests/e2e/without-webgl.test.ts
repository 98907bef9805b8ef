import {
  backdrop,
  circleCenters,
  circleColors,
  colorsOf,
  expectFallback,
  hide,
  hideContent,
} from "#tests/support/backdrop.ts";
import { luminance } from "#tests/support/pixels.ts";
import { visitor } from "#tests/support/visitors.ts";
import { chromiumWithoutWebgl } from "#tools/chromium.ts";
import { expect, test } from "./fixtures.ts";

// Every visitor runs this test without WebGL.
test.use({ launchOptions: chromiumWithoutWebgl });

test("without WebGL, the backdrop is a dark gradient with pulsing colored circles", async ({ page }) => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const messages: string[] = [];
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("dialog", (dialog) => messages.push(dialog.message()));
  // biome-ignore lint/performance/useDomNodeTextContent: a visitor reads the rendered text
  const words = async () => (await page.locator("body").innerText()).replace(/\d+/g, "#");
  await page.goto("/", { waitUntil: "domcontentloaded" });
  const before = await words();
  await expectFallback(page);
  expect(await words()).toBe(before);
  expect(messages).toEqual([expect.stringContaining("warning: Backdrop: drawing the gradient instead of lines.")]);
  await expect(page.locator(".toast")).toHaveCount(0);
  await expect.poll(() => page.workers()).toEqual([]);
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
  expect(await backdrop(page).boundingBox()).toEqual({ x: 0, y: 0, width, height });

  await hideContent(page);
  const [bright, dim] = [await circleColors(page, 0), await circleColors(page, 4000)];
  const spots = await circleCenters(page);
  await hide(page.locator(".backdrop-circle"));
  const [corner, middle, opposite, ...ground] = await colorsOf(page, [
    { x: 2, y: 2 },
    { x: width / 2, y: height / 2 },
    { x: width - 3, y: height - 3 },
    ...spots,
  ]);
  // The gradient is dark everywhere, but not uniform.
  for (const color of [corner, middle, opposite, ...bright])
    expect(luminance(color ?? [255, 255, 255])).toBeLessThan(0.05);
  expect(new Set([corner, middle, opposite].map(String)).size).toBe(3);
  // Each circle has a different color, at half strength in the middle of its pulse, if it may move.
  const pulse = visitor()?.hasMotion ? 0.5 : 1;
  const tints = [bright, dim].map((colors) =>
    colors.map((color, i) => color.map((value, channel) => value - (ground[i]?.[channel] ?? 0))),
  );
  const sum = (tint: number[] = []) => tint.reduce((total, value) => total + value, 0);
  for (const [i, tint] of (tints[0] ?? []).entries()) {
    expect(sum(tint)).toBeGreaterThan(15);
    const share = sum(tints[1]?.[i]) / sum(tint);
    expect(share).toBeGreaterThan(pulse - 0.15);
    expect(share).toBeLessThan(pulse + 0.15);
  }
  const shades = tints[0]?.map((tint) => tint.map((value) => value / sum(tint))) ?? [];
  for (const [i, shade] of shades.entries()) {
    const next = shades[(i + 1) % shades.length];
    expect(Math.hypot(...shade.map((value, channel) => value - (next?.[channel] ?? 0)))).toBeGreaterThan(0.04);
  }
});
