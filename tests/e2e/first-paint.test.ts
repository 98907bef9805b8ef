import { font } from "#brand/tokens.ts";
import { BACKDROP_SCRIPT } from "#tests/support/backdrop.ts";
import { HYDRATION_SCRIPT, holdRequests } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.use({ contextOptions: { reducedMotion: "no-preference" }, viewport: { width: 412, height: 823 } });

test("the first paint already contains the largest element, the tagline", async ({ page }) => {
  await holdRequests(page, BACKDROP_SCRIPT);
  await holdRequests(page, HYDRATION_SCRIPT);
  await page.goto("/", { waitUntil: "commit" });
  const { first, largest, element } = await page.evaluate(async () => {
    const entries = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
      });
    const [paint] = (await entries("paint")).filter(({ name }) => name === "first-contentful-paint");
    const [last] = (await entries("largest-contentful-paint")).slice(-1) as (PerformanceEntry & { element: Element })[];
    return { first: paint?.startTime, largest: last?.startTime, element: last?.element.textContent };
  });
  expect(element).toContain("Cutting-edge cybersecurity");
  expect(largest).toBe(first);
});

test("the hero's text keeps its lines when the font arrives after the first paint", async ({ page }) => {
  await holdRequests(page, BACKDROP_SCRIPT);
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 412, height: 823 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(viewport);
    const release = await holdRequests(page, "**/*.woff2");
    await page.goto("/", { waitUntil: "domcontentloaded" });
    const places = () =>
      page
        .locator(".hero-item")
        .evaluateAll((all) => all.map((item) => [Reflect.get(item, "offsetTop"), item.clientHeight]));
    const isLoaded = () => page.evaluate((family) => document.fonts.check(`16px ${family}`), font.family);
    const inFallback = await places();
    expect(await isLoaded()).toBe(false);
    release();
    await expect.poll(isLoaded).toBe(true);
    expect(await places()).toEqual(inFallback);
    await page.unroute("**/*.woff2");
  }
});
