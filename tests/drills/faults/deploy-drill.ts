import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import { releaseWithBrand } from "#tests/support/release.ts";
import { HYDRATION_SCRIPT, holdRequests } from "#tests/support/visitor.ts";
import { chromiumOptions } from "#tools/chromium.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Check, type Drill, type Outcome, runScenario } from "./drill.ts";
import { loadPagesDuring } from "./page-loads.ts";

/** Opens a tab before the deploy, lets it load its scripts only afterward, and checks that it still hydrates. */
async function withTabOpen(browser: Browser, origin: string, check: Check, deploy: () => Promise<void>): Promise<void> {
  const page = await browser.newPage();
  const missing: string[] = [];
  page.on("response", (response) => response.ok() || missing.push(`${response.status()} ${response.url()}`));
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await Promise.all([page.waitForRequest(HYDRATION_SCRIPT), page.goto(origin)]);
  await deploy();
  const toasts = page.waitForResponse("**/assets/toast-region-*.js", { timeout: 15_000 });
  const lines = page.locator(".backdrop[data-quality]").waitFor({ timeout: 15_000 });
  release();
  const isHydrated = await Promise.all([toasts, lines]).then(
    () => true,
    () => false,
  );
  check(isHydrated, "the tab did not hydrate");
  check(missing.length === 0, `the tab failed to load ${missing}`);
  await page.close();
}

const OTHER_TAGLINE = "Other words, and so other hashes.";

/** Deploys another build and the current one in turn, server by server. */
export function rollingDeploy(times: number): Drill {
  async function run(deploys: number, without?: "kept assets" | "graceful shutdown"): Promise<Outcome> {
    const other = releaseWithBrand({ [brand.tagline]: OTHER_TAGLINE });
    const folder = mkdtempSync(join(tmpdir(), "farwatch-kept-"));
    const browser = await chromium.launch(chromiumOptions);
    const options = {
      postgres: startScratchPostgres,
      isBalanced: true,
      env: without === "kept assets" ? {} : { KEPT_ASSETS: folder },
      ...(without === "graceful shutdown" && { preload: "stop-at-once" }),
    };
    try {
      return await runScenario(options, async (service, check) => {
        const { origin, servers, clients } = service;
        const failures = await loadPagesDuring(origin, async () => {
          for (let deploy = 0; deploy < deploys; deploy += 1) {
            const isRollback = deploy % 2 === 1;
            await withTabOpen(browser, origin, check, async () => {
              for (const index of servers.keys()) {
                await service.replace(index, isRollback ? "." : other.folder);
                // Long enough for HAProxy's health check to see it.
                await pause(1000);
              }
              const page = await (await fetch(origin)).text();
              check(page.includes(OTHER_TAGLINE) !== isRollback, "the page is not from the new build");
            });
          }
        });
        check(failures.length === 0, `${failures.length} requests for the page failed: ${failures[0]}`);
        const { statuses } = clients.ledger;
        check([...statuses.keys()].join() === "201", `a sign-up failed: statuses ${JSON.stringify([...statuses])}`);
      });
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
      other.remove();
    }
  }
  return {
    name: `servers replaced by another build ${times} times behind HAProxy, with a tab open`,
    run: () => run(times),
    controls: [
      { without: "kept assets", run: () => run(1, "kept assets"), finds: /^the tab/ },
      { without: "graceful shutdown", run: () => run(1, "graceful shutdown"), finds: /^a sign-up failed/ },
    ],
  };
}
