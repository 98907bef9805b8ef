import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import { releaseWithBrand } from "#tests/support/release.ts";
import { HYDRATION, hold } from "#tests/support/visitor.ts";
import { chromiumOptions } from "#tools/chromium.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Check, type Drill, type Outcome, perform } from "./drill.ts";
import { whileVisiting } from "./whole-visits.ts";

/** A visitor has the page, and is given the rest of it only after the work is done: does it come alive all the same? */
async function withTabOpen(browser: Browser, origin: string, check: Check, work: () => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  const missing: string[] = [];
  page.on("response", (answer) => answer.ok() || missing.push(`${answer.status()} ${answer.url()}`));
  const release = await hold(page, HYDRATION);
  await Promise.all([page.waitForRequest(HYDRATION), page.goto(origin)]);
  await work();
  const toasts = page.waitForResponse("**/assets/toast-region-*.js", { timeout: 15_000 });
  const lines = page.locator(".backdrop[data-pace]").waitFor({ timeout: 15_000 });
  release();
  const isAlive = await Promise.all([toasts, lines]).then(
    () => true,
    () => false,
  );
  check(isAlive, "the tab comes alive");
  check(missing.length === 0, `the tab gets all it asks for, but for ${missing}`);
  await page.close();
}

const OTHER_WORDS = "Other words, and so other hashes.";

/** The servers get another build and then their own again, and so on, one after the other, so many times. */
export function replaceBuild(times: number): Drill {
  async function run(count: number, keep: "kept" | "forgotten"): Promise<Outcome> {
    const other = releaseWithBrand({ [brand.tagline]: OTHER_WORDS });
    const kept = mkdtempSync(join(tmpdir(), "farwatch-kept-"));
    const browser = await chromium.launch(chromiumOptions);
    const env = keep === "kept" ? { KEPT_ASSETS: kept } : {};
    try {
      return await perform({ postgres: startScratchPostgres, isBalanced: true, env }, async (service, check) => {
        const { origin, servers, crowd } = service;
        const failures = await whileVisiting(origin, async () => {
          for (let time = 0; time < count; time += 1) {
            const isBack = time % 2 === 1;
            await withTabOpen(browser, origin, check, async () => {
              for (const place of servers.keys()) {
                await service.replace(place, isBack ? "." : other.folder);
                // Long enough for the balancer to see that it is there.
                await pause(1000);
              }
              const page = await (await fetch(origin)).text();
              check(page.includes(OTHER_WORDS) !== isBack, "the page is the new build's");
            });
          }
        });
        check(failures.length === 0, `visitors get all they ask for, but for ${failures.length}: ${failures[0]}`);
        const { statuses } = crowd.ledger;
        check([...statuses.keys()].join() === "201", `everybody is in: ${JSON.stringify([...statuses])}`);
      });
    } finally {
      await browser.close();
      rmSync(kept, { recursive: true });
      other.remove();
    }
  }
  return {
    name: `replaced by another build behind HAProxy, ${times} times, with a tab open`,
    run: () => run(times, "kept"),
    control: async () => (await run(1, "forgotten")).broken.some((what) => what.startsWith("the tab")),
  };
}
