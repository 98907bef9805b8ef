/** `npm run generate -- pictures`: renders the icons and the social sharing image from the built page. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { startSite } from "#tools/dev/running-site.ts";
import { chromiumOptions } from "./chromium.ts";

/** Previews are shown small, so this enlarges the headline and the logo, and hides anything to click. */
const SHARED_LOOK = `
  .menu, .scroll-hint, .hero-item:nth-child(n + 3) { display: none }
  .text-display { font-size: 120px }
  .hero-item { zoom: 1.2 }
  .hero-item.text-display { zoom: 1 }
  .nav-bar nav { zoom: 2 }
  .pill:last-child { display: none }
  .hero-content { padding-block: 7rem 12.5rem }
`;

const folder = join(import.meta.dirname, "../site/public");
const site = await startSite();
const browser = await chromium.launch(chromiumOptions);
try {
  // Bypasses the page's CSP, which would block the style added below.
  const page = await browser.newPage({
    viewport: { width: 1200, height: 630 },
    reducedMotion: "reduce",
    bypassCSP: true,
  });
  await page.goto(site.origin);
  await page.locator(".backdrop[data-quality]").waitFor();
  await page.addStyleTag({ content: SHARED_LOOK });
  await page.screenshot({ path: join(folder, "share.png") });

  const icon = await readFile(join(folder, "icon.svg"), "utf8");
  for (const size of [32, 180, 512]) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${icon}`);
    await page.screenshot({ path: join(folder, `icon-${size}.png`), omitBackground: true });
  }
} finally {
  await browser.close();
  await site.stop();
}
