/**
 * `npm run bench -- lighthouse [runs]`: the landing page, compared with the same page without script and with bare
 * React, on phone and desktop, with software WebGL and without. The three take turns, because only differences within
 * one run of this benchmark mean anything: the scores depend on how busy the machine is.
 */
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { median } from "#tests/support/quantile.ts";
import { saveResults } from "#tests/support/results.ts";
import { chromiumOptions, chromiumWithoutWebgl } from "#tools/chromium.ts";
import { serveVariants, type Variant } from "./variants.ts";

/** Each figure is the median of these. */
const RUNS = Number(process.argv[2] ?? 7);

const SETUPS = {
  mobile: { config: undefined, browser: chromiumOptions },
  desktop: { config: desktopConfig, browser: chromiumOptions },
  mobileWithoutWebgl: { config: undefined, browser: chromiumWithoutWebgl },
  desktopWithoutWebgl: { config: desktopConfig, browser: chromiumWithoutWebgl },
};
type Setup = (typeof SETUPS)[keyof typeof SETUPS];

const FIGURES = ["performance", "accessibility", "bestPractices", "seo", "lcpMs", "tbtMs", "cls"] as const;
type Scores = Record<(typeof FIGURES)[number], number>;
type Comparison = Record<Variant, Scores>;

/** React's own share of the blocking time may vary this much from run to run. */
const MAX_BLOCKING_RATIO = 1.3;
const MAX_BLOCKING_MS_MORE = 50;
const MAX_POINTS_LESS = 3;

async function measure(url: string, { config, browser }: Setup): Promise<Scores> {
  const chrome = await launch({
    chromePath: browser.executablePath,
    chromeFlags: ["--headless=new", ...browser.args],
  });
  try {
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
    };
  } finally {
    chrome.kill();
  }
}

async function compare(urls: Record<Variant, string>, setup: Setup): Promise<Comparison> {
  const runs: Record<Variant, Scores[]> = { ours: [], scriptless: [], bareReact: [] };
  const variants = Object.keys(runs) as Variant[];
  for (let run = 0; run < RUNS; run += 1) {
    for (const variant of variants) runs[variant].push(await measure(urls[variant], setup));
  }
  const spread = (variant: Variant, figure: "performance" | "tbtMs") => {
    const values = runs[variant].map((scores) => scores[figure]);
    return `${Math.min(...values)}–${Math.max(...values)}`;
  };
  const medians = Object.fromEntries(variants.map((variant) => [variant, medianScores(runs[variant])])) as Comparison;
  console.table(
    Object.fromEntries(
      variants.map((variant) => [
        variant,
        {
          ...medians[variant],
          "performance spread": spread(variant, "performance"),
          "tbtMs spread": spread(variant, "tbtMs"),
        },
      ]),
    ),
  );
  return medians;
}

function medianScores(runs: Scores[]): Scores {
  return Object.fromEntries(FIGURES.map((figure) => [figure, median(runs.map((scores) => scores[figure]))])) as Scores;
}

function misses({ ours, scriptless, bareReact }: Comparison): string[] {
  const added = ours.tbtMs - scriptless.tbtMs;
  const addedByReact = bareReact.tbtMs - scriptless.tbtMs;
  const maxAdded = Math.max(addedByReact * MAX_BLOCKING_RATIO, addedByReact + MAX_BLOCKING_MS_MORE);
  const perfect = (["accessibility", "bestPractices", "seo"] as const).filter((category) => ours[category] < 100);
  return [
    ...(added > maxAdded ? [`adds ${added} ms of blocking time, React alone ${addedByReact}`] : []),
    ...(ours.performance < bareReact.performance - MAX_POINTS_LESS
      ? [`scores ${ours.performance}, React alone ${bareReact.performance}`]
      : []),
    ...perfect.map((category) => `${category} is ${ours[category]}, not 100`),
    ...(ours.cls > 0 ? [`cumulative layout shift is ${ours.cls}, not 0`] : []),
  ];
}

const { urls, stop } = await serveVariants();
const results: Record<string, Comparison> = {};
for (const [name, setup] of Object.entries(SETUPS)) {
  console.log(name);
  results[name] = await compare(urls, setup);
}
await stop();

await saveResults("lighthouse", results);
const all = Object.entries(results).flatMap(([name, result]) => misses(result).map((miss) => `${name}: ${miss}`));
for (const miss of all) console.error(miss);
process.exitCode = all.length ? 1 : 0;
