import { expect, type Locator, type Page } from "@playwright/test";
import { type Clip, luminances, pixels } from "./pixels.ts";

/** The script that starts drawing. While a test holds it back, the page expects WebGL, but draws nothing. */
export const BACKDROP_SCRIPT = "**/assets/start-*.js";
export const NOT_FOUND_PAGE = "/nothing-here";
/** A region that shows only the backdrop, on the not-found page or with the content hidden. */
export const BACKDROP_ONLY = { x: 0, y: 100, width: 300, height: 600 };

export const backdrop = (page: Page) => page.locator(".backdrop");

/** Waits until the lines are drawn, and skips their fade-in. */
export async function untilDrawing(page: Page): Promise<void> {
  await page.locator(".backdrop[data-quality]").waitFor();
  await backdrop(page)
    .locator("canvas")
    .evaluate((canvas) => {
      for (const animation of canvas.getAnimations()) animation.finish();
    });
}

/** Replaces toEqual, which takes minutes to diff half a million numbers. */
export const isSame = (one: Float64Array, other: Float64Array) => one.every((value, i) => value === other[i]);

/** Returns the pixels once none has changed for half a second, because a busy machine shows the last frames late. */
export async function untilStill(page: Page, clip: Clip): Promise<Float64Array> {
  let before: Float64Array = new Float64Array();
  await expect(async () => {
    before = await luminances(page, clip);
    await page.waitForTimeout(500);
    expect(isSame(await luminances(page, clip), before)).toBe(true);
  }).toPass({ timeout: 15_000 });
  return before;
}

/** Runs this code first in the worker, for example to simulate a broken driver. */
export async function breakWorker(page: Page, code: string): Promise<void> {
  await page.route("**/assets/worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code};${await response.text()}` });
  });
}

/** Draws two frames a second, because at full speed software WebGL takes more than a core. */
export const drawSlowly = (page: Page) =>
  breakWorker(
    page,
    "requestAnimationFrame = (tick) => setTimeout(() => tick(performance.now()), 500); cancelAnimationFrame = clearTimeout",
  );

/** Lets a test read and advance the shader's time. Call it before opening the page. */
export async function controlTime(page: Page) {
  await breakWorker(
    page,
    `{ const { getUniformLocation, uniform1f } = WebGLRenderingContext.prototype;
      const request = requestAnimationFrame;
      let timeLocation, now = 0;
      globalThis.frames = [];
      globalThis.forward = 0;
      globalThis.requestAnimationFrame = (tick) => request((at) => tick((now = at)));
      WebGLRenderingContext.prototype.getUniformLocation = function (program, name) {
        const location = getUniformLocation.call(this, program, name);
        if (name === "time") timeLocation = location;
        return location;
      };
      WebGLRenderingContext.prototype.uniform1f = function (location, value) {
        if (location !== timeLocation) return uniform1f.call(this, location, value);
        frames.push([now, value]);
        uniform1f.call(this, location, value + forward);
      } }`,
  );
  return {
    /** For each frame so far: when it was drawn, in milliseconds, and the shader's time. */
    async frames(): Promise<number[][]> {
      return (await page.workers()[0]?.evaluate("frames")) ?? [];
    },
    /** Redraws the still picture as it would look this much later. */
    async setForward(time: number): Promise<void> {
      await page.workers()[0]?.evaluate(`forward = ${time}`);
      await page.evaluate(() => dispatchEvent(new Event("resize")));
    },
  };
}

export const hide = (elements: Locator) =>
  elements.evaluateAll((all) => {
    for (const element of all as HTMLElement[]) element.style.visibility = "hidden";
  });

/** Hides everything except the backdrop's lines or gradient, because other things move too. */
export const hideContent = (page: Page) => hide(page.locator("#root > :not(.backdrop), .horizon"));

export const colorsOf = (page: Page, spots: { x: number; y: number }[]) =>
  Promise.all(spots.map(async (spot) => (await pixels(page, { ...spot, width: 1, height: 1 })).flat()));

export const circleCenters = (page: Page) =>
  page.locator(".backdrop-circle").evaluateAll((circles) =>
    circles.map((circle) => {
      const { x, y, width, height } = circle.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }),
  );

/** The color at each circle's center, this long after the circle's second pulse began. */
export async function circleColors(page: Page, ms: number): Promise<number[][]> {
  await page.locator(".backdrop-circle").evaluateAll((circles, time) => {
    for (const [animation] of circles.map((circle) => circle.getAnimations())) {
      animation?.pause();
      if (animation) animation.currentTime = time + Number(animation.effect?.getTiming().delay);
    }
  }, 8000 + ms);
  return colorsOf(page, await circleCenters(page));
}

/** Expects the gradient and its circles instead of the lines. */
export async function expectFallback(page: Page): Promise<void> {
  await expect(backdrop(page)).toHaveCSS("background-image", /linear-gradient/);
  await expect(page.locator(".backdrop-circle")).toHaveCount(3);
  for (const circle of await page.locator(".backdrop-circle").all()) await expect(circle).toBeInViewport();
  await expect(page.locator(".backdrop canvas:visible")).toHaveCount(0);
}
