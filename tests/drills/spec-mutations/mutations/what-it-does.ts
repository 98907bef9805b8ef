import type { MutationRow } from "#tests/drills/spec-mutations/mutations.ts";

const BACKDROP_CSS = "site/backdrop/backdrop.css";
const ABOUT = "site/sections/about/about.tsx";
const SAMPLE_DASHBOARD = "site/sections/about/sample-dashboard.tsx";

/** Section 1 of the specification. */
export const WHAT_IT_DOES: MutationRow[] = [
  ["1.1", "the tagline has other words", "brand/brand.ts", "evolving threats", "new threats"],
  ["1.2", "the threat level is HIGH", SAMPLE_DASHBOARD, '"LOW"', '"HIGH"'],
  ["1.3", "monitors 9 to 5", SAMPLE_DASHBOARD, '"24/7"', '"9 to 5"'],
  ["1.4", "one more attack is blocked", SAMPLE_DASHBOARD, '"1,247"', '"1,248"'],
  [
    "1.4",
    "the four values are not shown",
    SAMPLE_DASHBOARD,
    '<dl className="dashboard-values">',
    '<dl className="hidden">',
  ],
  [
    "1.4",
    "the number is formatted in the browser's language",
    SAMPLE_DASHBOARD,
    'value: "1,247"',
    "value: (1247).toLocaleString()",
  ],
  ["1.5", "the system health is GOOD", SAMPLE_DASHBOARD, '"OPTIMAL"', '"GOOD"'],
  [
    "1.6",
    "the page fetches /api/dashboard",
    ABOUT,
    "return (",
    'if ("document" in globalThis) fetch("/api/dashboard").catch(() => {});\n  return (',
  ],
  [
    "1.6",
    "the page fetches /dashboard.json",
    ABOUT,
    "return (",
    'if ("document" in globalThis) fetch("/dashboard.json").catch(() => {});\n  return (',
  ],
  ["1.7", "the backdrop is gray", BACKDROP_CSS, "background: var(--color-ground);", "background: #222;"],
  ["1.7", "the backdrop covers the upper half", BACKDROP_CSS, "inset: 0;", "inset: 0 0 50% 0;"],
  ["1.7", "the backdrop stands still", "site/backdrop/quality.ts", "seconds * 60", "seconds * 0"],
  [
    "1.7",
    "the backdrop stays frozen after a visit to another tab",
    "site/backdrop/start.ts",
    'document.addEventListener("visibilitychange", show);',
    'document.addEventListener("visibilitychange", show, { once: true });',
  ],
];
