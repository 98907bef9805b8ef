import type { Page } from "@playwright/test";
import * as content from "#brand/content.ts";
import { dark } from "#brand/tokens.ts";
import {
  BACKDROP_ONLY,
  BACKDROP_SCRIPT,
  backdrop,
  breakWorker,
  controlTime,
  expectFallback,
  hide,
  isSame,
  NOT_FOUND_PAGE,
  untilDrawing,
  untilStill,
} from "#tests/support/backdrop.ts";
import { luminance, luminances } from "#tests/support/pixels.ts";
import { computedColor, onEachScreen } from "#tests/support/screen.ts";
import { holdRequests, openPage } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test("the page has a near-black background and a full-screen backdrop fixed behind the content", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await untilDrawing(page);
  await onEachScreen(page, async (screen) => {
    for (const top of [0, 900, 1e6]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
      await expect(backdrop(page)).toBeVisible();
      expect(await backdrop(page).boundingBox()).toEqual({ x: 0, y: 0, ...screen });
      const isBehind = await page.evaluate(() => !document.elementFromPoint(innerWidth / 2, 400)?.closest(".backdrop"));
      expect(isBehind).toBe(true);
    }
  });
  await expect(page.locator("html")).toHaveCSS("background-color", computedColor(dark.ground));
  await expect(backdrop(page)).toHaveCSS("background-color", computedColor(dark.ground));
  // Paints the backdrop white. It must show beside a card, and not over it.
  await page.locator("#features li").first().scrollIntoViewIfNeeded();
  await backdrop(page).evaluate((element: HTMLElement) => {
    element.style.background = "white";
    element.replaceChildren();
  });
  const { x = 0, y = 0 } = (await page.locator("#features li h3").first().boundingBox()) ?? {};
  const [beside = 0, ...row] = await luminances(page, { x: x - 60, y: y - 4, width: 70, height: 1 });
  expect(beside).toBeGreaterThan(0.9);
  expect(row.at(-1)).toBeLessThan(0.1);
});

test("the backdrop draws only while its tab is shown, and its worker ends when the page is left", async ({ page }) => {
  const { frames } = await controlTime(page);
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  const setHidden = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await setHidden(true);
  await untilStill(page, BACKDROP_ONLY);
  // Counts frames in the worker, because a busy machine shows the last frames late.
  const drawn = (await frames()).length;
  await page.waitForTimeout(500);
  expect((await frames()).length).toBe(drawn);
  await setHidden(false);
  await expect.poll(async () => (await frames()).length).toBeGreaterThan(drawn + 2);

  const [worker] = page.workers();
  let isClosed = false;
  worker?.once("close", () => {
    isClosed = true;
  });
  await page.goto("about:blank");
  await expect.poll(() => isClosed).toBe(true);
});

test("the backdrop freezes on Pause motion, even if it starts later, and under reduced motion", async ({ page }) => {
  const pause = page.getByRole("button", { name: content.pauseMotion });
  await page.goto("/");
  await untilDrawing(page);
  await pause.click();
  await untilStill(page, { x: 0, y: 0, width: 60, height: 600 });

  const release = await holdRequests(page, BACKDROP_SCRIPT);
  await openPage(page);
  await pause.click();
  release();
  await expect(page.locator(".backdrop-canvas")).toHaveCSS("opacity", "1");
  expect(await page.locator(".backdrop-canvas").evaluate((canvas) => canvas.getAnimations().length)).toBe(0);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  const still = await untilStill(page, BACKDROP_ONLY);
  expect(still.some((value) => value > 0.012)).toBe(true);
});

test("the backdrop fades to 0.4 over the first screen of scrolling, but not under reduced motion", async ({ page }) => {
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

const FAILURES = {
  "no WebGL context can be created": "OffscreenCanvas.prototype.getContext = () => null",
  // Disables readPixels, which measures drawing: on a busy machine, slow drawing would cause the fallback too.
  "a shader fails to link":
    "WebGLRenderingContext.prototype.getProgramParameter = () => false; WebGLRenderingContext.prototype.readPixels = () => {}",
  // A fake clock, with a frame every 100 ms that takes 60 ms to draw.
  "drawing is too slow for the machine": `
    let time = 0;
    performance.now = () => time;
    requestAnimationFrame = (tick) => setTimeout(() => tick((time += 100)));
    WebGLRenderingContext.prototype.readPixels = () => { time += 60; }`,
  "the WebGL context is lost":
    "{ const get = OffscreenCanvas.prototype.getContext; OffscreenCanvas.prototype.getContext = function (...a) { const gl = get.apply(this, a); setTimeout(() => gl.getExtension('WEBGL_lose_context').loseContext(), 300); return gl; } }",
  "the worker script throws": "throw new Error('broken')",
};

/** Expects the fallback before the loading timeout, which would hide an undetected failure. */
async function expectFallbackWithoutTimeout(page: Page): Promise<void> {
  const warning = page.waitForEvent("console", (message) => message.text().startsWith("Backdrop:"));
  await page.goto("/");
  await expectFallback(page);
  expect((await warning).text()).not.toContain("took too long");
}

for (const [failure, code] of Object.entries(FAILURES)) {
  test(`the backdrop falls back to the gradient when ${failure}`, async ({ page }) => {
    await breakWorker(page, code);
    await expectFallbackWithoutTimeout(page);
  });
}

test("the backdrop falls back to the gradient when one of its scripts fails to load", async ({ page }) => {
  for (const script of ["start", "worker"]) {
    await page.route(`**/assets/${script}-*.js`, (route) => route.abort());
    await expectFallbackWithoutTimeout(page);
    await page.unrouteAll();
  }
});

test("the backdrop falls back to the gradient when one of its scripts stalls, and stays there", async ({ page }) => {
  for (const script of ["start", "worker"]) {
    const release = await holdRequests(page, `**/assets/${script}-*.js`);
    const requested = page.waitForRequest(`**/assets/${script}-*.js`);
    await openPage(page);
    await requested;
    await page.clock.fastForward(10_000);
    await expectFallback(page);
    release();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.workers()).toEqual([]);
    await expectFallback(page);
    await page.unrouteAll();
  }
});

test("the backdrop falls back to the gradient when the page itself has to draw, and can't", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "OffscreenCanvas");
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.goto("/");
  await expectFallback(page);
});

test("text keeps a contrast ratio of 4.5 over the backdrop's brightest pixel", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { setForward } = await controlTime(page);
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await hide(page.locator(".horizon"));
  let picture = await luminances(page, BACKDROP_ONLY);
  let brightest = 0;
  for (let sample = 1; sample <= 8; sample += 1) {
    const before = picture;
    await setForward(40 * sample);
    await expect
      .poll(async () => {
        picture = await luminances(page, BACKDROP_ONLY);
        return isSame(picture, before);
      })
      .toBe(false);
    for (const value of picture) brightest = Math.max(brightest, value);
  }
  const mutedText = luminance([0xa9, 0xb1, 0xc6]);
  expect((mutedText + 0.05) / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5);
});
