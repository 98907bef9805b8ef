import { expect, type Page } from "@playwright/test";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { untilRecorded } from "./visitor.ts";

/**
 * Counts the API calls of each page load. The returned function waits ten seconds on the page's clock, and expects that
 * the page fetched the stats only on load and after a success, and that a success card stays.
 */
export function watchCalls(page: Page): () => Promise<void> {
  let [fetches, successes] = [0, 0];
  // Resets only here, because the previous page may still fetch after a navigation has started.
  page.on("domcontentloaded", () => {
    [fetches, successes] = [0, 0];
  });
  page.on("request", (request) => {
    if (request.url().endsWith(STATS_PATH)) fetches += 1;
  });
  page.on("response", (response) => {
    const isPost = response.request().method() === "POST" && response.url().endsWith(WAITLIST_PATH);
    if (isPost && response.ok()) successes += 1;
  });
  return async () => {
    // Only the landing page fetches stats, once it has hydrated.
    if (page.isClosed() || fetches === 0) return;
    const cards = page.locator(".card.joined");
    const joined = await cards.count();
    await page.clock.fastForward(10_000);
    await expect.poll(() => fetches, "stats requests").toBe(joined && successes ? 2 : 1);
    await untilRecorded(page);
    expect(fetches, "stats requests").toBe(joined && successes ? 2 : 1);
    await expect(cards, "success card").toHaveCount(joined);
    await expect(page.locator("form input[name=email]"), "form").toHaveCount(joined ? 0 : 1);
  };
}
