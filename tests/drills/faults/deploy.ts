import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import * as content from "#brand/content.ts";
import type { Change } from "#tests/drills/harness/change-source.ts";
import type { Check, Context, Drill } from "#tests/drills/harness/drill.ts";
import { checkReadsDuring } from "#tests/drills/harness/reads.ts";
import { onPostgres, runUnderLoad, type ServiceOptions, underLoad } from "#tests/drills/harness/service.ts";
import { releaseAt, releaseWithBrand } from "#tests/support/release.ts";
import { runNode } from "#tests/support/run-node.ts";
import { HYDRATION_SCRIPT, holdRequests } from "#tests/support/visitor.ts";
import { chromiumOptions } from "#tools/chromium.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const OTHER_TAGLINE = "Other words, and so other hashes.";
/** Blocks the event loop, so requests wait in the kernel, as on a busy machine. */
const STALL = "for (const end = performance.now() + 300; performance.now() < end; );";
/** Changes a line that 1.0.0 also has. */
const STOP_AT_ONCE: Change = [
  "core/service/run-service.ts",
  "if (!service) process.exit();",
  `${STALL} process.exit();`,
];

const DRAIN = "core/service/drain.ts";
const KEEP_IDLE = 'await Promise.race([once(server, "close"), pause(IDLE_MS, undefined, { ref: false })]);';

/** Alternately deploys another build and the current one, server by server. */
export const rollingDeploy = underLoad({
  breaks: "rolling deploy: servers replaced by another build behind nginx, with a tab open",
  shows: "no request fails, and the tab still finds its scripts",
  isBalanced: true,
  // Pauses between sign-ups leave idle connections, which nginx reuses.
  clients: { count: 48, perSecond: 150 },
  times: { short: 3, full: 10 },
  async postgres(keep) {
    const other = buildOther();
    const kept = mkdtempSync(join(tmpdir(), "farwatch-kept-"));
    await keep({ stop: () => rmSync(kept, { recursive: true }) });
    const browser = await chromium.launch(chromiumOptions);
    await keep({ stop: () => browser.close() });
    return { ...(await keep(startScratchPostgres())), other, browser, env: { KEPT_ASSETS: kept } };
  },
  async scenario(service, times) {
    const { postgres, origin, servers, ledger, check } = service;
    await checkReadsDuring(origin, service, async () => {
      for (let round = 0; round < times; round += 1) {
        const isRollback = round % 2 === 1;
        await withTabOpen(postgres.browser, origin, check, async () => {
          for (const index of servers.keys()) await service.replace(index, isRollback ? "." : postgres.other);
          const page = await (await fetch(origin)).text();
          check(page.includes(OTHER_TAGLINE) !== isRollback, "the page is not from the new build");
        });
      }
    });
    service.figures.signUps = ledger.entries.length;
    check(ledger.count(502) === 0, `${ledger.count(502)} sign-ups failed in nginx`);
    check(!ledger.others(201, 502), `a sign-up failed: ${ledger.others(201, 502)}`);
  },
  controls: [
    { without: "kept assets", finds: /^the tab/, env: { KEPT_ASSETS: "" } },
    { without: "graceful shutdown", finds: /failed in nginx$/, changes: [STOP_AT_ONCE] },
    {
      without: "accepting the connections in the backlog",
      finds: /failed in nginx$/,
      // Every response then closes its connection, so nginx always opens another.
      env: { DRAIN_MS: "2000" },
      changes: [[DRAIN, "await acceptBacklog(server);", STALL]],
    },
    {
      without: "serving idle connections until nginx has closed them",
      finds: /failed in nginx$/,
      changes: [[DRAIN, KEEP_IDLE, STALL]],
    },
  ],
});

/** Builds this version with another tagline. Returns its folder, which is deleted on exit. */
function buildOther(): string {
  const { folder, remove } = releaseWithBrand({ [content.tagline]: OTHER_TAGLINE });
  process.on("exit", remove);
  return folder;
}

/** Opens a tab before the deploy, lets it load its scripts only afterward, and checks that it hydrates. */
async function withTabOpen(browser: Browser, origin: string, check: Check, work: () => Promise<void>): Promise<void> {
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  const missing: string[] = [];
  page.on("response", (response) => response.ok() || missing.push(`${response.status()} ${response.url()}`));
  const release = await holdRequests(page, HYDRATION_SCRIPT);
  await Promise.all([page.waitForRequest(HYDRATION_SCRIPT), page.goto(origin)]);
  await work();
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

/** How long each release serves on the newer release's schema. */
const SERVES_MS = 3000;

/** Upgrades from the last release (or a given commit), downgrades and upgrades again, server by server. */
export const upgrade: Drill = {
  breaks: "upgrade: servers replaced by this version, by the last release and by this version again",
  shows: "no sign-up fails on the newer schema, and none waits for its migrations",
  run: (context) => upgradeWith(context, { clients: { count: 16, perSecond: 25 } }),
  controls: [
    {
      without: "graceful shutdown",
      finds: /^a sign-up failed/,
      changes: [STOP_AT_ONCE],
      run: (context) => upgradeWith(context, { changes: [STOP_AT_ONCE] }),
    },
  ],
};

async function upgradeWith(context: Context, options: Partial<ServiceOptions<ScratchPostgres>>) {
  const base = context.args[0] ?? lastRelease();
  if (!base) throw new Error("There is no release to upgrade from; name a commit");
  const old = releaseAt(base);
  await context.keep({ stop: () => old.remove() });
  const migrate = async (folder: string, url: string) => {
    const { code, stderr } = await runNode(`${folder}/cli/waitlist.ts`, { DATABASE_URL: url }, ["migrate"]);
    if (code !== 0) throw new Error(stderr);
  };
  return runUnderLoad(
    context,
    { ...onPostgres, isBalanced: true, release: old.folder, prepare: (url) => migrate(old.folder, url), ...options },
    async (service) => {
      const { origin, servers, postgres, ledger, check } = service;
      await checkReadsDuring(origin, service, async () => {
        await pause(SERVES_MS);
        await migrate(".", postgres.url);
        for (const folder of [".", old.folder, "."]) {
          await pause(SERVES_MS);
          for (const index of servers.keys()) await service.replace(index, folder);
        }
        await pause(SERVES_MS);
      });
      check(!ledger.others(201), `a sign-up failed: ${ledger.others(201)}`);
      service.figures.from = base;
    },
  );
}

function lastRelease(): string | undefined {
  const tags = execFileSync("git", ["tag", "--list", "v*", "--sort=-version:refname"], { encoding: "utf8" });
  return tags.split("\n").find(Boolean);
}
