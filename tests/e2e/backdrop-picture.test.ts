import type { Page } from "@playwright/test";
import {
  BACKDROP_ONLY,
  backdrop,
  breakWorker,
  hideContent,
  isSame,
  NOT_FOUND_PAGE,
  recordFrames,
  setTimeForward,
  untilDrawing,
} from "#tests/support/backdrop.ts";
import { brightRuns, luminance, luminances, pixels } from "#tests/support/pixels.ts";
import { expect, test } from "./fixtures.ts";

/** Expects at least this many grid lines, a cell or a few apart, given the brightness along a row or a column. */
function expectGrid(brightness: number[], lines: number, cell: number): void {
  const found = brightRuns(brightness, Math.min(...brightness) * 1.5);
  expect(found.length).toBeGreaterThanOrEqual(lines);
  for (const [i, x] of found.slice(1).entries()) {
    const gap = x - (found[i] ?? 0);
    expect(Math.abs(gap - cell * Math.max(1, Math.round(gap / cell)))).toBeLessThanOrEqual(3);
  }
}

const WITHOUT_WEBGL_2 = `const get = OffscreenCanvas.prototype.getContext;
  OffscreenCanvas.prototype.getContext = function (kind, ...rest) {
    return kind === "webgl2" ? null : get.call(this, kind, ...rest);
  }`;

for (const path of ["/", NOT_FOUND_PAGE]) {
  test(`${path} starts in graphics mode: a WebGL shader draws moving lines over a faint grid on black`, async ({
    page,
  }) => {
    // WebGL 1 is enough.
    if (path !== "/") await breakWorker(page, WITHOUT_WEBGL_2);
    await page.goto(path);
    await untilDrawing(page);
    await expect(backdrop(page)).toHaveAttribute("data-mode", "graphics");
    await expect(backdrop(page).locator("canvas")).toBeVisible();
    await hideContent(page);
    await page.waitForTimeout(1300);
    const sides = [BACKDROP_ONLY, { ...BACKDROP_ONLY, x: 1280 - BACKDROP_ONLY.width }];
    const before = await Promise.all(sides.map((side) => luminances(page, side)));
    await page.waitForTimeout(600);
    for (const [i, side] of sides.entries()) {
      const colors = await pixels(page, side);
      const lights = Float64Array.from(colors, luminance);
      expect(isSame(lights, before[i] ?? lights)).toBe(false);

      // A column's median shows the grid, because most of its pixels have no line on them.
      const { width, height } = side;
      const column = (x: number) => Float64Array.from({ length: height }, (_, y) => lights[y * width + x] ?? 0);
      const medians = Array.from({ length: width }, (_, x) => column(x).sort()[height / 2] ?? 0);
      expectGrid(medians, 4, 72);

      // The lines are violet to cyan.
      const [red = 0, , blue = 0] = colors[lights.indexOf(lights.toSorted().at(-1) ?? 0)] ?? [];
      expect(blue).toBeGreaterThan(1.5 * red);
      lights.sort();
      expect(lights[Math.floor(lights.length * 0.3)]).toBeLessThan(0.005);
      expect(Math.max(...medians)).toBeLessThan(0.01);
      expect(lights.at(-1)).toBeGreaterThan(0.012);
    }
  });
}

test("the still backdrop is sharp, and its grid has 10 cells per unit, a unit being the window's height", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await expect(async () => {
    const row = [...(await luminances(page, { x: 300, y: 10, width: 800, height: 1 }))];
    expectGrid(row, 9, 80);
    // At half resolution a grid line, one canvas pixel wide, would cover two or three pixels of the screen.
    expect(row.filter((value) => value > Math.min(...row) * 1.2).length).toBeLessThanOrEqual(12);
    expectGrid([...(await luminances(page, { x: 10, y: 70, width: 1, height: 420 }))], 5, 80);
  }).toPass({ timeout: 15_000 });
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`the ${reducedMotion === "reduce" ? "still" : "moving"} backdrop resizes with the window, each time`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await page.setViewportSize({ width: 600, height: 500 });
    await page.goto(NOT_FOUND_PAGE);
    await untilDrawing(page);
    for (const [width, height] of [
      [1400, 900],
      [1000, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await backdrop(page).locator("canvas").boundingBox()).toEqual({ x: 0, y: 0, width, height });
      // The old picture, stretched to the new size, would have other cells.
      await expect(async () =>
        expectGrid([...(await luminances(page, { x: 200, y: 10, width: 800, height: 1 }))], 6, height / 10),
      ).toPass({ timeout: 15_000 });
    }
  });
}

test("in a drawn frame time has advanced by 0.05 for every 1/60 s, and drawing goes on", async ({ page }) => {
  const drawn = await recordFrames(page);
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await expect.poll(async () => (await drawn()).length).toBeGreaterThan(20);
  // Without the first, drawn when the scene was shown. A frame that took longer than 100 ms counts as that long.
  const all = (await drawn()).slice(2);
  const rates = all.slice(1).map(([at = 0, time = 0], i) => {
    const [before = 0, timeBefore = 0] = all[i] ?? [];
    return (time - timeBefore) / (Math.min(100, at - before) * 0.06);
  });
  expect(rates.toSorted((one, other) => one - other)[Math.floor(rates.length / 2)]).toBeCloseTo(0.05, 3);
});

/** The still picture at a later time. */
async function pictureAfter(page: Page, time: number): Promise<Float64Array> {
  await setTimeForward(page, time);
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
  for (const part of [2, 3]) {
    expect(difference(await pictureAfter(page, period / part), first)).toBeGreaterThan(0.05);
  }
});
