import type { Page } from "@playwright/test";
import { luminance, luminances } from "#tests/support/pixels.ts";
import { chromiumOptions, WITHOUT_WEBGL } from "#tools/chromium.ts";
import { expect, test } from "./fixtures.ts";

const EMPTY_PAGE = "/nothing-here";
/** A part of the not-found page where only the backdrop is. */
const BARE = { x: 0, y: 100, width: 300, height: 600 };

const backdrop = (page: Page) => page.locator(".backdrop");
const drawing = (page: Page) => page.locator(".backdrop[data-pace]").waitFor();

/** Not by toEqual, which would take minutes to say how half a million numbers differ. */
function expectSame(one: Float64Array, other: Float64Array): void {
  expect(one.findIndex((light, place) => light !== other[place])).toBe(-1);
}

/** Sabotages the worker before it starts, as a broken driver would. */
async function breakWorker(page: Page, how: string): Promise<void> {
  await page.route("**/assets/worker-*.js", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${how};${await answer.text()}` });
  });
}

for (const path of ["/", EMPTY_PAGE]) {
  test(`${path} starts in graphics mode: a WebGL shader draws moving lines over a faint grid on black`, async ({
    page,
  }) => {
    await page.goto(path);
    await drawing(page);
    await expect(backdrop(page)).toHaveAttribute("data-mode", "graphics");
    await expect(backdrop(page).locator("canvas")).toBeVisible();
    await page.waitForTimeout(1300);
    const one = await luminances(page, BARE);
    await page.waitForTimeout(600);
    const light = await luminances(page, BARE);
    expect(light).not.toEqual(one);
    light.sort();
    // Mostly black, with lines on it.
    expect(light[Math.floor(light.length * 0.3)]).toBeLessThan(0.005);
    expect(light.at(-1)).toBeGreaterThan(0.012);
  });
}

test("the grid has 10 cells per unit, a unit being the window's height", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(EMPTY_PAGE);
  await drawing(page);
  await page.waitForTimeout(300);
  const row = [...(await luminances(page, { x: 300, y: 10, width: 800, height: 1 }))];
  const darkest = Math.min(...row);
  const bright = row.flatMap((light, x) => (light > darkest * 1.5 ? [x] : []));
  const lines = bright.filter((x, i) => i === 0 || x - (bright[i - 1] ?? 0) > 5);
  const gaps = lines.slice(1).map((x, i) => x - (lines[i] ?? 0));
  expect(gaps.length).toBeGreaterThanOrEqual(8);
  for (const gap of gaps) expect(Math.abs(gap - 80)).toBeLessThanOrEqual(3);
});

test("it resizes with the window", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 600, height: 500 });
  await page.goto(EMPTY_PAGE);
  await drawing(page);
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.waitForTimeout(500);
  expect(await backdrop(page).locator("canvas").boundingBox()).toEqual({ x: 0, y: 0, width: 1400, height: 900 });
  // The grid's cells are a tenth of the new height, so the picture was drawn anew and not just stretched.
  const column = [...(await luminances(page, { x: 1330, y: 300, width: 1, height: 500 }))];
  const peaks = column.flatMap((light, y) => (light > 0.004 ? [y] : []));
  const lines = peaks.filter((y, i) => i === 0 || y - (peaks[i - 1] ?? 0) > 5);
  expect(lines.length).toBeGreaterThan(3);
});

test("it stops when the screen is left: hidden it draws nothing, and gone it is gone", async ({ page }) => {
  await page.goto(EMPTY_PAGE);
  await drawing(page);
  await page.waitForTimeout(1300);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  // A busy machine may be showing what was drawn before for a while.
  await expect(async () => {
    const one = await luminances(page, BARE);
    await page.waitForTimeout(500);
    expectSame(await luminances(page, BARE), one);
  }).toPass();

  const [worker] = page.workers();
  const closed = new Promise((resolve) => worker?.once("close", resolve));
  await page.goto("about:blank");
  await closed;
});

test("the pause control stills it, and reduced motion shows one still frame", async ({ page }) => {
  await page.goto("/");
  await drawing(page);
  await page.getByRole("button", { name: "Pause motion" }).click();
  await page.waitForTimeout(500);
  const strip = { x: 0, y: 0, width: 60, height: 600 };
  const one = await luminances(page, strip);
  await page.waitForTimeout(500);
  expectSame(await luminances(page, strip), one);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(EMPTY_PAGE);
  await drawing(page);
  await page.waitForTimeout(500);
  const still = await luminances(page, BARE);
  await page.waitForTimeout(500);
  expectSame(await luminances(page, BARE), still);
  expect(still.some((light) => light > 0.012)).toBe(true);
});

test("where WebGL is unsupported, a dark gradient with pulsing coloured circles takes over, and only the console says so", async ({
  playwright,
  site,
}) => {
  const browser = await playwright.chromium.launch({
    ...chromiumOptions,
    args: [...chromiumOptions.args, WITHOUT_WEBGL],
  });
  const page = await browser.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  await page.goto(site.origin);
  await expect(backdrop(page)).toHaveAttribute("data-mode", "fallback");
  await expect(backdrop(page)).toHaveCSS("background-image", /linear-gradient/);
  const circles = page.locator(".backdrop-circle");
  await expect(circles).toHaveCount(3);
  const looks = await circles.evaluateAll((all) =>
    all.map((one) => [
      getComputedStyle(one).animationName,
      getComputedStyle(one).animationIterationCount,
      getComputedStyle(one).borderRadius,
    ]),
  );
  expect(looks).toEqual(Array(3).fill(["pulse", "infinite", "50%"]));
  const colours = await circles.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundImage));
  expect(new Set(colours).size).toBe(3);
  expect(said).toEqual([expect.stringContaining("warning: Backdrop: drawing the gradient instead of lines.")]);
  await expect(page.locator(".toast")).toHaveCount(0);
  await browser.close();
});

for (const [what, how] of Object.entries({
  "getting a context fails": "OffscreenCanvas.prototype.getContext = () => null",
  "a shader does not link": "WebGL2RenderingContext.prototype.getProgramParameter = () => false",
  "drawing is more than the machine can spare":
    "WebGL2RenderingContext.prototype.readPixels = () => { const t = performance.now(); while (performance.now() - t < 60); }",
  "the context is lost":
    "{ const get = OffscreenCanvas.prototype.getContext; OffscreenCanvas.prototype.getContext = function (...a) { const gl = get.apply(this, a); setTimeout(() => gl.getExtension('WEBGL_lose_context').loseContext(), 300); return gl; } }",
  "the worker's script is broken": "throw new Error('broken')",
})) {
  test(`where the renderer fails (${what}), the fallback takes over`, async ({ page }) => {
    await breakWorker(page, how);
    await page.goto("/");
    await expect(backdrop(page)).toHaveAttribute("data-mode", "fallback", { timeout: 15_000 });
    await expect(page.locator(".backdrop-circle")).toHaveCount(3);
  });
}

for (const script of ["start", "worker"]) {
  test(`where its script can't be loaded (${script}), the gradient stays`, async ({ page }) => {
    await page.route(`**/assets/${script}-*.js`, (route) => route.abort());
    await page.goto("/");
    await expect(backdrop(page)).toHaveAttribute("data-mode", "fallback");
  });
}

test("text keeps its contrast over the brightest point the backdrop reaches", async ({ page }) => {
  await page.goto(EMPTY_PAGE);
  await drawing(page);
  let brightest = 0;
  for (let look = 0; look < 8; look += 1) {
    await page.waitForTimeout(700);
    for (const light of await luminances(page, BARE)) brightest = Math.max(brightest, light);
  }
  const quiet = luminance([0xa9, 0xb1, 0xc6]);
  expect((quiet + 0.05) / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5);
});
