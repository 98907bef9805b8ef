import type { Page } from "@playwright/test";
import {
  BACKDROP_ONLY,
  backdrop,
  breakWorker,
  circleCenters,
  circleColors,
  colorsOf,
  expectMoving,
  hide,
  hideContent,
  NOT_FOUND_PAGE,
  untilDrawing,
  untilStill,
} from "#tests/support/backdrop.ts";
import { luminance, luminances } from "#tests/support/pixels.ts";
import { chromiumWithoutWebgl } from "#tools/chromium.ts";
import { expect, test } from "./fixtures.ts";

/** Expects the gradient and its circles on the screen, instead of the lines. */
async function expectFallback(page: Page): Promise<void> {
  // A slow machine takes long to find out that it is.
  await expect(backdrop(page)).toHaveCSS("background-image", /linear-gradient/, { timeout: 45_000 });
  await expect(page.locator(".backdrop-circle")).toHaveCount(3);
  for (const circle of await page.locator(".backdrop-circle").all()) await expect(circle).toBeInViewport();
  await expect(page.locator(".backdrop canvas:visible")).toHaveCount(0);
}

test("the backdrop draws only while its tab is shown, and its worker ends when the page is left", async ({ page }) => {
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await page.waitForTimeout(1300);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await untilStill(page, BACKDROP_ONLY);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expectMoving(page, BACKDROP_ONLY);

  const [worker] = page.workers();
  let isClosed = false;
  worker?.once("close", () => {
    isClosed = true;
  });
  await page.goto("about:blank");
  await expect.poll(() => isClosed).toBe(true);
});

test("the backdrop freezes on Pause motion, and shows a still frame under prefers-reduced-motion", async ({ page }) => {
  await page.goto("/");
  await untilDrawing(page);
  await page.getByRole("button", { name: "Pause motion" }).click();
  await untilStill(page, { x: 0, y: 0, width: 60, height: 600 });

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  const still = await untilStill(page, BACKDROP_ONLY);
  expect(still.some((value) => value > 0.012)).toBe(true);
});

test("the backdrop fades to 0.4 over the first screen of scrolling, even when paused, but not under reduced motion", async ({
  page,
}) => {
  const scrollOneScreen = () => page.evaluate(() => scrollTo({ top: innerHeight, behavior: "instant" }));
  await page.goto("/");
  await untilDrawing(page);
  await expect(backdrop(page)).toHaveCSS("opacity", "1");
  await page.evaluate(() => {
    document.documentElement.dataset.motion = "paused";
  });
  await scrollOneScreen();
  await expect(backdrop(page)).toHaveCSS("opacity", "0.4");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(backdrop(page)).toHaveCSS("opacity", "1");
});

test("without WebGL, the backdrop is a dark gradient with pulsing colored circles, and only the console reports it", async ({
  playwright,
  site,
}) => {
  const browser = await playwright.chromium.launch(chromiumWithoutWebgl);
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const messages: string[] = [];
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("dialog", (dialog) => messages.push(dialog.message()));
  // biome-ignore lint/performance/useDomNodeTextContent: a visitor reads the rendered text
  const words = async () => (await page.locator("body").innerText()).replace(/\d+/g, "#");
  await page.goto(site.origin, { waitUntil: "domcontentloaded" });
  const before = await words();
  await expectFallback(page);
  expect(await words()).toBe(before);
  expect(messages).toEqual([expect.stringContaining("warning: Backdrop: drawing the gradient instead of lines.")]);
  await expect(page.locator(".toast")).toHaveCount(0);
  await expect.poll(() => page.workers()).toEqual([]);
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
  expect(await backdrop(page).boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 720 });

  await hideContent(page);
  const [bright, dim] = [await circleColors(page, 0), await circleColors(page, 4000)];
  const spots = await circleCenters(page);
  await hide(page.locator(".backdrop-circle"));
  const [corner, middle, opposite, ...ground] = await colorsOf(page, [
    { x: 2, y: 2 },
    { x: 640, y: 360 },
    { x: 1277, y: 717 },
    ...spots,
  ]);
  // The gradient is dark from corner to corner, and not the same everywhere.
  for (const color of [corner, middle, opposite, ...bright])
    expect(luminance(color ?? [255, 255, 255])).toBeLessThan(0.05);
  expect(new Set([corner, middle, opposite].map(String)).size).toBe(3);
  // Each circle has its own color, and half of it in the middle of its pulse.
  const tints = [bright, dim].map((colors) =>
    colors.map((color, i) => color.map((value, channel) => value - (ground[i]?.[channel] ?? 0))),
  );
  const sum = (tint: number[] = []) => tint.reduce((total, value) => total + value, 0);
  for (const [i, tint] of (tints[0] ?? []).entries()) {
    expect(sum(tint)).toBeGreaterThan(15);
    const share = sum(tints[1]?.[i]) / sum(tint);
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  }
  expect(new Set(tints[0]?.map((tint) => tint.map((value) => Math.round((5 * value) / sum(tint))).join())).size).toBe(
    3,
  );
  await browser.close();
});

test("the page's main thread never creates a WebGL context: the worker does", async ({ page }) => {
  const contexts: string[] = [];
  await page.exposeFunction("reportContext", (kind: string) => contexts.push(kind));
  await page.addInitScript(`
    const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      reportContext(kind);
      return getContext.call(this, kind, ...rest);
    };
  `);
  await page.goto("/");
  await untilDrawing(page);
  await page.waitForTimeout(500);
  expect(contexts).toEqual([]);
});

const FAILURES = {
  "no WebGL context can be created": "OffscreenCanvas.prototype.getContext = () => null",
  // Without readPixels, drawing can't be too slow, which on a busy machine would be the reason instead.
  "a shader fails to link":
    "WebGLRenderingContext.prototype.getProgramParameter = () => false; WebGLRenderingContext.prototype.readPixels = () => {}",
  "drawing is too slow for the machine":
    "WebGLRenderingContext.prototype.readPixels = () => { const t = performance.now(); while (performance.now() - t < 60); }",
  "the WebGL context is lost":
    "{ const get = OffscreenCanvas.prototype.getContext; OffscreenCanvas.prototype.getContext = function (...a) { const gl = get.apply(this, a); setTimeout(() => gl.getExtension('WEBGL_lose_context').loseContext(), 300); return gl; } }",
  "the worker script throws": "throw new Error('broken')",
};

for (const [failure, code] of Object.entries(FAILURES)) {
  test(`the backdrop falls back to the gradient when ${failure}`, async ({ page }) => {
    await breakWorker(page, code);
    await page.goto("/");
    await expectFallback(page);
  });
}

test("the backdrop falls back to the gradient when one of its scripts fails to load", async ({ page }) => {
  for (const script of ["start", "worker"]) {
    await page.route(`**/assets/${script}-*.js`, (route) => route.abort());
    await page.goto("/");
    await expectFallback(page);
    await page.unrouteAll();
  }
});

test("text keeps a contrast ratio of 4.5 over the backdrop's brightest pixel", async ({ page }) => {
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await hide(page.locator(".sightings"));
  let brightest = 0;
  for (let sample = 0; sample < 8; sample += 1) {
    await page.waitForTimeout(700);
    for (const value of await luminances(page, BACKDROP_ONLY)) brightest = Math.max(brightest, value);
  }
  const mutedText = luminance([0xa9, 0xb1, 0xc6]);
  expect((mutedText + 0.05) / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5);
});
