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
