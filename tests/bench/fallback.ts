/**
 * `npm run bench -- fallback`: CPU time of the landing page in a Chromium without a GPU, where the gradient replaces
 * the lines. All of Chromium's processes count. Only meaningful on an idle machine.
 */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { descendantsOf } from "#tests/support/process-tree.ts";
import { saveResults } from "#tests/support/results.ts";
import { chromiumWithoutWebgl } from "#tools/chromium.ts";
import { startSite } from "#tools/dev/running-site.ts";

const MAX_CORES = 0.15;
/** The hero's entrance takes 3.1 s. */
const SETTLE_MS = 8_000;
const MEASURE_MS = 15_000;
/** Linux reports CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/** CPU time in user and kernel mode: fields 14 and 15, counted after the name, which can contain spaces. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

const site = await startSite();
const server = await chromium.launchServer(chromiumWithoutWebgl);
const browser = await chromium.connect(server.wsEndpoint());
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(site.origin);
await page.locator('.backdrop[data-mode="fallback"]').waitFor();
await setTimeout(SETTLE_MS);

const browserPid = server.process().pid ?? 0;
const pids = [browserPid, ...descendantsOf(browserPid)];
const total = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
const [cpuBefore, started] = [total(), performance.now()];
await setTimeout(MEASURE_MS);
const cores = Number(((total() - cpuBefore) / (performance.now() - started)).toFixed(3));

await browser.close();
await server.close();
await site.stop();

console.log(`${cores} cores, at most ${MAX_CORES}`);
await saveResults("fallback", { cores });
process.exitCode = cores > MAX_CORES ? 1 : 0;
