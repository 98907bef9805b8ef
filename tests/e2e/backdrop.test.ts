import {
  BACKDROP_ONLY,
  backdrop,
  breakWorker,
  NOT_FOUND_PAGE,
  untilDrawing,
  untilStill,
} from "#tests/support/backdrop.ts";
import { luminance, luminances } from "#tests/support/pixels.ts";
import { chromiumWithoutWebgl } from "#tools/chromium.ts";
import { expect, test } from "./fixtures.ts";

test("the backdrop stops drawing in a hidden tab, and its worker ends when the page is left", async ({ page }) => {
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await page.waitForTimeout(1300);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await untilStill(page, BACKDROP_ONLY);

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

test("a still backdrop is drawn at full resolution on any machine", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await page.waitForTimeout(500);
  // At half resolution a grid line, one canvas pixel wide, covers two or three pixels of the screen.
  const row = [...(await luminances(page, { x: 300, y: 10, width: 100, height: 1 }))];
  const darkest = Math.min(...row);
  expect(row.filter((value) => value > darkest * 1.2).length).toBeLessThanOrEqual(2);
});

test("without WebGL, the backdrop is a dark gradient with pulsing colored circles, and only the console reports it", async ({
  playwright,
  site,
}) => {
  const browser = await playwright.chromium.launch(chromiumWithoutWebgl);
  const page = await browser.newPage();
  const messages: string[] = [];
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  await page.goto(site.origin);
  await expect(backdrop(page)).toHaveAttribute("data-mode", "fallback");
  await expect(backdrop(page)).toHaveCSS("background-image", /linear-gradient/);
  const circles = page.locator(".backdrop-circle");
  await expect(circles).toHaveCount(3);
  const styles = await circles.evaluateAll((elements) =>
    elements.map((element) => [
      getComputedStyle(element).animationName,
      getComputedStyle(element).animationIterationCount,
      getComputedStyle(element).borderRadius,
    ]),
  );
  expect(styles).toEqual(Array(3).fill(["circle-pulse", "infinite", "50%"]));
  // At the start and in the middle of the second loop, because a negative time is before the first.
  const pulse = await circles.evaluateAll((elements) =>
    elements.map((element) => {
      const [animation] = element.getAnimations();
      return [8000, 12_000].map((time) => {
        if (animation) animation.currentTime = time + Number(animation.effect?.getTiming().delay);
        return getComputedStyle(element).opacity;
      });
    }),
  );
  expect(pulse).toEqual(Array(3).fill(["1", "0.5"]));
  const colors = await circles.evaluateAll((elements) =>
    elements.map((element) => getComputedStyle(element).backgroundImage),
  );
  expect(new Set(colors).size).toBe(3);
  expect(messages).toEqual([expect.stringContaining("warning: Backdrop: drawing the gradient instead of lines.")]);
  await expect(page.locator(".toast")).toHaveCount(0);
  await expect.poll(() => page.workers()).toEqual([]);
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

test("WebGL 1 is enough for the lines", async ({ page }) => {
  await breakWorker(
    page,
    `const get = OffscreenCanvas.prototype.getContext;
    OffscreenCanvas.prototype.getContext = function (kind, ...rest) {
      return kind === "webgl2" ? null : get.call(this, kind, ...rest);
    }`,
  );
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await expect(backdrop(page)).toHaveAttribute("data-mode", "graphics");
  await page.waitForTimeout(1300);
  expect((await luminances(page, BACKDROP_ONLY)).some((value) => value > 0.012)).toBe(true);
});

for (const [failure, code] of Object.entries({
  "no WebGL context can be created": "OffscreenCanvas.prototype.getContext = () => null",
  // Without readPixels, drawing can't be too slow, which on a busy machine would be the reason instead.
  "a shader fails to link":
    "WebGLRenderingContext.prototype.getProgramParameter = () => false; WebGLRenderingContext.prototype.readPixels = () => {}",
  "drawing is too slow for the machine":
    "WebGLRenderingContext.prototype.readPixels = () => { const t = performance.now(); while (performance.now() - t < 60); }",
  "the WebGL context is lost":
    "{ const get = OffscreenCanvas.prototype.getContext; OffscreenCanvas.prototype.getContext = function (...a) { const gl = get.apply(this, a); setTimeout(() => gl.getExtension('WEBGL_lose_context').loseContext(), 300); return gl; } }",
  "the worker script throws": "throw new Error('broken')",
})) {
  test(`the backdrop falls back to the gradient when ${failure}`, async ({ page }) => {
    await breakWorker(page, code);
    await page.goto("/");
    await expect(backdrop(page)).toHaveAttribute("data-mode", "fallback");
    await expect(page.locator(".backdrop-circle")).toHaveCount(3);
  });
}

for (const script of ["start", "worker"]) {
  test(`the backdrop stays a gradient when its ${script} script fails to load`, async ({ page }) => {
    await page.route(`**/assets/${script}-*.js`, (route) => route.abort());
    await page.goto("/");
    await expect(backdrop(page)).toHaveAttribute("data-mode", "fallback");
  });
}

test("text keeps a contrast ratio of 4.5 over the backdrop's brightest pixel", async ({ page }) => {
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  let brightest = 0;
  for (let sample = 0; sample < 8; sample += 1) {
    await page.waitForTimeout(700);
    for (const value of await luminances(page, BACKDROP_ONLY)) brightest = Math.max(brightest, value);
  }
  const mutedText = luminance([0xa9, 0xb1, 0xc6]);
  expect((mutedText + 0.05) / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5);
});
