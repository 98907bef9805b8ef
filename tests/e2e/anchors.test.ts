import { expect, test } from "./fixtures.ts";

const BAR_PX = 64;
const MAX_GAP_PX = 48;

/** The first line of text of each section that a link leads to. */
const LABELS = {
  "#features": "Features",
  "#about": "About",
  "#waitlist": "Waitlist",
  "#privacy": "Privacy",
  "#terms": "Terms",
  "#cookies": "Cookies",
};

for (const [width, height] of [
  [360, 740],
  [1280, 800],
] as const) {
  test(`at ${width} × ${height} every anchor lands with its label just below the navigation bar`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/");
    for (const [anchor, label] of Object.entries(LABELS)) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, anchor);
      const text = page.locator(anchor).getByText(label, { exact: true }).first();
      await expect.soft(text).toBeInViewport({ ratio: 1 });
      const top = (await text.boundingBox())?.y ?? 0;
      expect.soft(top, anchor).toBeGreaterThanOrEqual(BAR_PX);
      const isAtEnd = await page.evaluate(
        () => Math.ceil(scrollY + innerHeight) >= document.documentElement.scrollHeight,
      );
      if (!isAtEnd) expect.soft(top, anchor).toBeLessThanOrEqual(BAR_PX + MAX_GAP_PX);
    }
  });
}
