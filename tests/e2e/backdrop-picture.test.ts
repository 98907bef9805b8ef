import {
  BACKDROP_ONLY,
  backdrop,
  breakWorker,
  controlTime,
  hideContent,
  isSame,
  NOT_FOUND_PAGE,
  untilDrawing,
  untilStill,
} from "#tests/support/backdrop.ts";
import { brightRuns, luminance, luminances, pixels } from "#tests/support/pixels.ts";
import { pauseClock } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

/** Expects at least this many grid lines, spaced by multiples of a cell, in the brightness along a row or column. */
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

test("/ starts in graphics mode: a WebGL shader draws moving lines over a faint grid on black", async ({ page }) => {
  await page.goto("/");
  await untilDrawing(page);
  await expect(backdrop(page)).toHaveAttribute("data-mode", "graphics");
  await expect(backdrop(page).locator("canvas")).toBeVisible();
  await hideContent(page);
  for (const side of [BACKDROP_ONLY, { ...BACKDROP_ONLY, x: 1280 - BACKDROP_ONLY.width }]) {
    const before = await luminances(page, side);
    await expect.poll(async () => isSame(await luminances(page, side), before)).toBe(false);
    await expect(async () => expectLinesOverGrid(await pixels(page, side), side)).toPass({ timeout: 10_000 });
  }
});

function expectLinesOverGrid(colors: number[][], { width, height }: { width: number; height: number }): void {
  const lights = Float64Array.from(colors, luminance);
  // A column's median shows the grid, because the moving lines cover few of its pixels.
  const column = (x: number) => Float64Array.from({ length: height }, (_, y) => lights[y * width + x] ?? 0);
  const medians = Array.from({ length: width }, (_, x) => column(x).sort()[height / 2] ?? 0);
  expectGrid(medians, 4, 72);

  // The lines range from violet to cyan.
  const [red = 0, , blue = 0] = colors[lights.indexOf(lights.toSorted().at(-1) ?? 0)] ?? [];
  expect(blue).toBeGreaterThan(1.5 * red);
  lights.sort();
  expect(lights[Math.floor(lights.length * 0.3)]).toBeLessThan(0.005);
  expect(Math.max(...medians)).toBeLessThan(0.01);
  expect(lights.at(-1)).toBeGreaterThan(0.012);
}

test("the still backdrop is sharp, and its grid has 10 cells per window height", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  await expect(async () => {
    const row = [...(await luminances(page, { x: 300, y: 10, width: 800, height: 1 }))];
    expectGrid(row, 9, 80);
    // At half resolution, a grid line of one canvas pixel would cover two or three screen pixels.
    expect(row.filter((value) => value > Math.min(...row) * 1.2).length).toBeLessThanOrEqual(12);
    expectGrid([...(await luminances(page, { x: 10, y: 70, width: 1, height: 280 }))], 4, 80);
  }).toPass({ timeout: 15_000 });
});

for (const [name, reducedMotion] of Object.entries({ still: "reduce", moving: "no-preference" } as const)) {
  test(`the ${name} backdrop resizes with the window, each time`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion });
    // Drawing must not need WebGL 2.
    await breakWorker(page, WITHOUT_WEBGL_2);
    await page.setViewportSize({ width: 600, height: 500 });
    await page.goto(NOT_FOUND_PAGE);
    await untilDrawing(page);
    // Pauses the clock, because the page must resize its picture at once, without a timer.
    await page.clock.install();
    await pauseClock(page);
    for (const [width, height] of [
      [1000, 1400],
      [1000, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await backdrop(page).locator("canvas").boundingBox()).toEqual({ x: 0, y: 0, width, height });
      // Stretching the old picture would change the size of its cells.
      await expect(async () =>
        expectGrid([...(await luminances(page, { x: 200, y: 10, width: 800, height: 1 }))], 6, height / 10),
      ).toPass({ timeout: 15_000 });
    }
  });
}

test("in a drawn frame time has advanced by 0.05 for every 1/60 s, and drawing goes on", async ({ page }) => {
  const { frames } = await controlTime(page);
  // Opens the page again if the worker ended because the machine was too busy to draw.
  await expect(async () => {
    await page.goto(NOT_FOUND_PAGE);
    await untilDrawing(page);
    await expect.poll(async () => (await frames()).length, { timeout: 8000 }).toBeGreaterThan(20);
  }).toPass({ timeout: 30_000 });
  // Skips the first frames, drawn when the scene was shown. A frame longer than 100 ms counts as 100 ms.
  const all = (await frames()).slice(2);
  const rates = all.slice(1).map(([at = 0, time = 0], i) => {
    const [before = 0, timeBefore = 0] = all[i] ?? [];
    return (time - timeBefore) / (Math.min(100, at - before) * 0.06);
  });
  expect(rates.toSorted((one, other) => one - other)[Math.floor(rates.length / 2)]).toBeCloseTo(0.05, 3);
});

test("lines are slowed by 0.05", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { setForward } = await controlTime(page);
  await page.goto(NOT_FOUND_PAGE);
  await untilDrawing(page);
  const first = await untilStill(page, BACKDROP_ONLY);
  /** The share of pixels that differ by more than rounding. */
  const difference = async () => {
    const now = await luminances(page, BACKDROP_ONLY);
    return now.filter((value, i) => Math.abs(value - (first[i] ?? 0)) > 0.002).length / now.length;
  };
  // The lines repeat after 2π / 0.1 of slowed time, not earlier, because their frequencies are multiples of 0.1.
  const period = (2 * Math.PI) / 0.1 / 0.05;
  for (const part of [2, 3]) {
    await setForward(period / part);
    await expect.poll(difference).toBeGreaterThan(0.05);
    await setForward(period);
    await expect.poll(difference).toBeLessThan(0.01);
  }
});
