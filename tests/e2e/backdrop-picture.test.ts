import type { Page } from "@playwright/test";
import { BACKDROP_ONLY, backdrop, breakWorker, isSame, NOT_FOUND_PAGE, untilDrawing } from "#tests/support/backdrop.ts";
import { brightRuns, luminances } from "#tests/support/pixels.ts";
import { expect, test } from "./fixtures.ts";

/** Leaves only the backdrop's canvas visible, because other things move too. */
async function hideContent(page: Page): Promise<void> {
  await page.locator("#root > :not(.backdrop), .backdrop > :not(canvas)").evaluateAll((elements) => {
    for (const element of elements as HTMLElement[]) element.style.visibility = "hidden";
  });
}

/** Expects at least this many vertical grid lines, a cell apart, given the brightness at each x. */
function expectGrid(brightness: number[], lines: number, cell: number): void {
  const found = brightRuns(brightness, Math.min(...brightness) * 1.5);
  expect(found.length).toBeGreaterThanOrEqual(lines);
  for (const [i, x] of found.slice(1).entries()) {
    expect(Math.abs(x - (found[i] ?? 0) - cell)).toBeLessThanOrEqual(3);
  }
}

for (const path of ["/", NOT_FOUND_PAGE]) {
  test(`${path} starts in graphics mode: a WebGL shader draws moving lines over a faint grid on black`, async ({
    page,
  }) => {
    await page.goto(path);
    await untilDrawing(page);
    await expect(backdrop(page)).toHaveAttribute("data-mode", "graphics");
    await expect(backdrop(page).locator("canvas")).toBeVisible();
    await hideContent(page);
    await page.waitForTimeout(1300);
    const before = await luminances(page, BACKDROP_ONLY);
    await page.waitForTimeout(600);
    const pixels = await luminances(page, BACKDROP_ONLY);
    expect(isSame(pixels, before)).toBe(false);

    // A column's median shows the grid, because most of its pixels have no line on them.
    const { width, height } = BACKDROP_ONLY;
    const column = (x: number) => Float64Array.from({ length: height }, (_, y) => pixels[y * width + x] ?? 0);
    const medians = Array.from({ length: width }, (_, x) => column(x).sort()[height / 2] ?? 0);
    expectGrid(medians, 4, 72);

    pixels.sort();
    expect(pixels[Math.floor(pixels.length * 0.3)]).toBeLessThan(0.005);
    expect(Math.max(...medians)).toBeLessThan(0.01);
    expect(pixels.at(-1)).toBeGreaterThan(0.012);
  });
}

test("the grid has 10 cells per unit, a unit being the window's height", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await page.waitForTimeout(300);
  expectGrid([...(await luminances(page, { x: 300, y: 10, width: 800, height: 1 }))], 9, 80);
});

test("the backdrop resizes with the window", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 600, height: 500 });
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await page.setViewportSize({ width: 1400, height: 900 });
  expect(await backdrop(page).locator("canvas").boundingBox()).toEqual({ x: 0, y: 0, width: 1400, height: 900 });
  // The old picture, stretched to the new size, would have cells of 117 px.
  await expect(async () =>
    expectGrid([...(await luminances(page, { x: 300, y: 10, width: 800, height: 1 }))], 8, 90),
  ).toPass({ timeout: 15_000 });
});

/** The still picture at a later time. */
async function pictureAfter(page: Page, time: number): Promise<Float64Array> {
  await breakWorker(
    page,
    `for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
      const { getUniformLocation, uniform1f } = prototype;
      let timeLocation;
      prototype.getUniformLocation = function (program, name) {
        const location = getUniformLocation.call(this, program, name);
        if (name === "time") timeLocation = location;
        return location;
      };
      prototype.uniform1f = function (location, value) {
        uniform1f.call(this, location, location === timeLocation ? value + ${time} : value);
      };
    }`,
  );
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await page.waitForTimeout(300);
  await page.unrouteAll();
  return luminances(page, BACKDROP_ONLY);
}

/** The share of pixels that clearly differ: rounding makes tiny differences. */
const difference = (one: Float64Array, other: Float64Array) =>
  one.filter((value, i) => Math.abs(value - (other[i] ?? 0)) > 0.002).length / one.length;

test("lines are slowed by 0.05", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  // The lines' frequencies are multiples of 0.1: they repeat after 2π / 0.1 of slowed time, and not after half of it.
  const period = (2 * Math.PI) / 0.1 / 0.05;
  const first = await pictureAfter(page, 0);
  expect(difference(await pictureAfter(page, period), first)).toBeLessThan(0.01);
  expect(difference(await pictureAfter(page, period / 2), first)).toBeGreaterThan(0.05);
});
