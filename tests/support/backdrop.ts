import { expect, type Page } from "@playwright/test";
import { type Clip, luminances } from "./pixels.ts";

export const NOT_FOUND_PAGE = "/nothing-here";
/** A region of that page, or of a page with its content hidden, that shows nothing but the backdrop. */
export const BACKDROP_ONLY = { x: 0, y: 100, width: 300, height: 600 };

export const backdrop = (page: Page) => page.locator(".backdrop");
export const untilDrawing = (page: Page) => page.locator(".backdrop[data-quality]").waitFor();

/** Replaces toEqual, which takes minutes to diff half a million numbers. */
export const isSame = (one: Float64Array, other: Float64Array) => one.every((value, i) => value === other[i]);

/** Waits until half a second changes no pixel, and returns them: a busy machine shows the last frames late. */
export async function untilStill(page: Page, clip: Clip): Promise<Float64Array> {
  let before: Float64Array = new Float64Array();
  await expect(async () => {
    before = await luminances(page, clip);
    await page.waitForTimeout(500);
    expect(isSame(await luminances(page, clip), before)).toBe(true);
  }).toPass({ timeout: 15_000 });
  return before;
}

/** Runs code in the worker before its own, for example to fail as a broken driver would. */
export async function breakWorker(page: Page, code: string): Promise<void> {
  await page.route("**/assets/worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code};${await response.text()}` });
  });
}
