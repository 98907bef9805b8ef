import { chromium, type LaunchOptions, type Page } from "@playwright/test";
import { STATS_PATH } from "#contract/paths.ts";

/** The phone and the slow 4G network that Lighthouse emulates. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const CPU_SLOWDOWN = 4;
const BYTES_PER_KBIT = 1000 / 8;
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1474.56 * BYTES_PER_KBIT,
  uploadThroughput: 675 * BYTES_PER_KBIT,
};

/** How long to wait for late paints and shifts after the page is alive or, with its script blocked, has painted. */
const SETTLE_MS = { alive: 2000, blocked: 5000 };

export const FIGURES = ["firstPaint", "largestPaint", "alive", "layoutShift"] as const;

export interface Visit extends Record<(typeof FIGURES)[number], number> {
  largestElement: string;
  requests: { path: string; start: number; end: number }[];
}

/** A first visit, with an empty cache. The page is alive when it requests the stats. */
export async function visitOnPhone(
  origin: string,
  { launch, isScriptBlocked = false }: { launch: LaunchOptions; isScriptBlocked?: boolean },
): Promise<Visit> {
  const browser = await chromium.launch(launch);
  try {
    const page = await browser.newPage(PHONE);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    if (isScriptBlocked) await devtools.send("Network.setBlockedURLs", { urls: ["*.js"] });
    await devtools.send("Network.emulateNetworkConditions", SLOW_4G);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    await page.addInitScript(observePaints);
    const stats = isScriptBlocked ? undefined : page.waitForResponse(`**${STATS_PATH}`);
    await page.goto(origin, { waitUntil: "commit" });
    await stats;
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    await page.waitForTimeout(isScriptBlocked ? SETTLE_MS.blocked : SETTLE_MS.alive);
    return await read(page);
  } finally {
    await browser.close();
  }
}

interface Observed {
  largest: { time: number; element: string };
  layoutShift: number;
}

function observePaints(): void {
  const observed: Observed = { largest: { time: Number.NaN, element: "none" }, layoutShift: 0 };
  Object.assign(window, { observed });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { element: Element | null })[]) {
      const { element } = entry;
      const name = element ? `${element.localName}.${element.className.split(" ")[0]}` : "removed";
      observed.largest = { time: entry.startTime, element: `${name}: ${element?.textContent.slice(0, 40)}` };
    }
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
      observed.layoutShift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

async function read(page: Page): Promise<Visit> {
  const { observed, firstPaint, resources } = await page.evaluate(() => ({
    observed: (window as unknown as { observed: Observed }).observed,
    firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    resources: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
      (entry) => ({ url: entry.name, start: entry.startTime, end: (entry as PerformanceResourceTiming).responseEnd }),
    ),
  }));
  const requests = resources.map(({ url, start, end }) => ({ path: new URL(url).pathname, start, end }));
  return {
    firstPaint,
    largestPaint: observed.largest.time,
    alive: requests.find(({ path }) => path === STATS_PATH)?.start ?? Number.NaN,
    layoutShift: observed.layoutShift,
    largestElement: observed.largest.element,
    requests,
  };
}
