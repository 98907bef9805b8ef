/** `npm run bench -- weight`: bytes of a first visit, compressed with brotli. Fails if a budget is exceeded. */
import { chromium } from "@playwright/test";
import { saveResults } from "#tests/support/results.ts";
import { chromiumOptions } from "#tools/chromium.ts";
import { startSite } from "#tools/dev/running-site.ts";

/** The HTML contains its style sheet and fits into the first ten packets, so the first screen takes one round trip. */
const BUDGET = {
  html: 14_600,
  initialJs: 85_000,
  backdropJs: 5_000,
  toastJs: 12_000,
  emailHelpJs: 1_400,
  fonts: 32_000,
  requests: 14,
};

const site = await startSite();
const browser = await chromium.launch(chromiumOptions);
const page = await browser.newPage();
const requested: string[] = [];
page.context().on("request", (request) => requested.push(request.url()));
await page.goto(site.origin);
await page.locator(".backdrop[data-quality]").waitFor();
await page.locator(".toast-viewport").waitFor({ state: "attached" });
await page.waitForLoadState("networkidle");
await browser.close();

/** The compressed size, from the Content-Length that precompressed files have. */
async function servedBytes(url: string): Promise<number> {
  const response = await fetch(url, { method: "HEAD", headers: { "accept-encoding": "br" } });
  return Number(response.headers.get("content-length"));
}

async function sum(matches: (path: string) => boolean): Promise<number> {
  const paths = [...new Set(requested)].filter((url) => matches(new URL(url).pathname));
  return (await Promise.all(paths.map(servedBytes))).reduce((total, bytes) => total + bytes, 0);
}

const isScript = (path: string) => path.endsWith(".js");
const isToast = (path: string) => path.includes("/toast-region-");
const isEmailHelp = (path: string) => path.includes("/email-help-");
const isBackdrop = (path: string) => /\/(start|worker|renderer)-/.test(path);
const weight = {
  html: await servedBytes(site.origin),
  initialJs: await sum((path) => isScript(path) && ![isToast, isEmailHelp, isBackdrop].some((is) => is(path))),
  backdropJs: await sum(isBackdrop),
  toastJs: await sum(isToast),
  emailHelpJs: await sum(isEmailHelp),
  fonts: await sum((path) => path.endsWith(".woff2")),
  requests: requested.length,
};
const thirdParty = requested.filter((url) => !url.startsWith(site.origin));
await site.stop();

console.table(
  Object.entries(weight).map(([part, bytes]) => ({ part, bytes, budget: BUDGET[part as keyof typeof BUDGET] ?? "" })),
);
const { backdropJs, toastJs, emailHelpJs, ...rest } = weight;
await saveResults("weight", { ...rest, lazyJs: backdropJs + toastJs + emailHelpJs });

const exceeded = Object.entries(BUDGET).filter(([part, max]) => weight[part as keyof typeof weight] > max);
for (const [part, max] of exceeded) console.error(`${part} exceeds its budget of ${max}`);
for (const url of thirdParty) console.error(`Request to another host: ${url}`);
process.exitCode = exceeded.length || thirdParty.length ? 1 : 0;
