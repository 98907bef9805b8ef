/** `npm run bench -- lighthouse`: the built site, mobile and desktop, with software WebGL and without. */
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { median } from "#tests/support/quantile.ts";
import { saveResults } from "#tests/support/results.ts";
import { chromiumOptions, chromiumWithoutWebgl } from "#tools/chromium.ts";
import { startSite } from "#tools/dev/running-site.ts";

/** Each score is the median of these. */
const RUNS = 3;

interface Scores {
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  lcpMs: number;
  tbtMs: number;
  cls: number;
  transferBytes: number;
}

const minimum = { accessibility: 100, bestPractices: 100, seo: 100 };
const THRESHOLDS = {
  mobile: { ...minimum, performance: 97, tbtMs: 150, lcpMs: 1500 },
  desktop: { ...minimum, performance: 97, tbtMs: 150 },
  mobileWithoutWebgl: { ...minimum, performance: 99, tbtMs: 50, lcpMs: 1500 },
  desktopWithoutWebgl: { ...minimum, performance: 99, tbtMs: 50 },
};

async function measure(url: string, name: keyof typeof THRESHOLDS): Promise<Scores & { lcpElement: string }> {
  const { executablePath, args } = name.endsWith("WithoutWebgl") ? chromiumWithoutWebgl : chromiumOptions;
  const chrome = await launch({ chromePath: executablePath, chromeFlags: ["--headless=new", ...args] });
  try {
    const config = name.startsWith("desktop") ? desktopConfig : undefined;
    const result = await lighthouse(url, { port: chrome.port, logLevel: "error" }, config);
    if (!result) throw new Error("Lighthouse gave no result");
    const { categories, audits } = result.lhr;
    const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
    const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
    return {
      performance: score("performance"),
      accessibility: score("accessibility"),
      bestPractices: score("best-practices"),
      seo: score("seo"),
      lcpMs: Math.round(value("largest-contentful-paint")),
      tbtMs: Math.round(value("total-blocking-time")),
      cls: value("cumulative-layout-shift"),
      transferBytes: Math.round(value("total-byte-weight")),
      lcpElement:
        /"snippet":"(.*?[^\\])"/.exec(JSON.stringify(audits["lcp-breakdown-insight"]?.details ?? ""))?.[1] ?? "?",
    };
  } finally {
    chrome.kill();
  }
}

const site = await startSite();
const results: Record<string, Scores> = {};
const misses: string[] = [];
for (const name of Object.keys(THRESHOLDS) as (keyof typeof THRESHOLDS)[]) {
  const runs: Awaited<ReturnType<typeof measure>>[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure(site.origin, name));
  const [first] = runs;
  console.log(
    `${name}: performance ${runs.map(({ performance }) => performance).join(", ")}; LCP is ${first?.lcpElement}`,
  );
  const keys = [
    "performance",
    "accessibility",
    "bestPractices",
    "seo",
    "lcpMs",
    "tbtMs",
    "cls",
    "transferBytes",
  ] as const;
  const scores = Object.fromEntries(keys.map((key) => [key, median(runs.map((run) => run[key]))])) as unknown as Scores;
  results[name] = scores;
  for (const [key, required] of Object.entries({ ...THRESHOLDS[name], cls: 0 })) {
    const got = scores[key as keyof Scores];
    const missed = key.endsWith("Ms") || key === "cls" ? got > required : got < required;
    if (missed) misses.push(`${name}: ${key} is ${got}, required ${required}`);
  }
}
await site.stop();

console.table(results);
await saveResults("lighthouse", results);
for (const miss of misses) console.error(miss);
process.exitCode = misses.length ? 1 : 0;
