import type { Page } from "@playwright/test";

export interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The WCAG relative luminance of each pixel in this part of the screen, row by row. */
export async function luminances(page: Page, clip: Clip): Promise<Float64Array> {
  const rgba = await readPixels(page, clip);
  const at = (i: number) => rgba[i] ?? 0;
  return Float64Array.from({ length: rgba.length / 4 }, (_, i) => luminance([at(4 * i), at(4 * i + 1), at(4 * i + 2)]));
}

/** Red, green and blue, from 0 to 255, of each pixel in this part of the screen, row by row. */
export async function pixels(page: Page, clip: Clip): Promise<number[][]> {
  const rgba = await readPixels(page, clip);
  return Array.from({ length: rgba.length / 4 }, (_, i) => [...rgba.subarray(4 * i, 4 * i + 3)]);
}

async function readPixels(page: Page, clip: Clip): Promise<Buffer> {
  // One pixel per CSS pixel, whatever the screen's density.
  const png = (await page.screenshot({ clip, scale: "css" })).toString("base64");
  // The browser decodes the PNG. It returns base64, because returning a million numbers from the page is slow.
  const bytes = await page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.fromBase64(data)], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    return new Uint8Array(context?.getImageData(0, 0, image.width, image.height).data ?? []).toBase64();
  }, png);
  return Buffer.from(bytes, "base64");
}

/** The linear light of each 8-bit value, precomputed, because a screen has a million pixels. */
const LINEAR = Array.from({ length: 256 }, (_, value) => {
  const s = value / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
});

export function luminance([red = 0, green = 0, blue = 0]: number[]): number {
  return 0.2126 * (LINEAR[red] ?? 0) + 0.7152 * (LINEAR[green] ?? 0) + 0.0722 * (LINEAR[blue] ?? 0);
}

/** The start of each run of values above the threshold; a run may have gaps of up to five values. */
export function brightRuns(values: number[], threshold: number): number[] {
  const bright = values.flatMap((value, i) => (value > threshold ? [i] : []));
  return bright.filter((at, i) => i === 0 || at - (bright[i - 1] ?? 0) > 5);
}
