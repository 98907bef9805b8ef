import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { iconSvg } from "#brand/icon.ts";
import { themeStyle } from "#brand/style.ts";

/** Generated from brand/, so it may say what brand/ says. */
const ICON = "site/public/icon.svg";

/** What keeps the name when the product is renamed, because operators' dashboards, Redis and caches know it. */
const INTERNAL = [
  // Metrics, also in deploy/alerts.yaml and deploy/dashboard.json.
  /\bfarwatch_\w+/g,
  // The prefix of keys in Redis.
  /"farwatch:"/g,
  // The Trusted Types policy: header and script have to agree across versions while both are served.
  /\bfarwatch-backdrop\b/g,
  // Temporary folders.
  /"farwatch-(mail|postgres)-"/g,
];

const COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(|vec3\(\s*[\d.]+\s*,.*/gi;

const sources = globSync("{charts,cli,contract,core,server,site,tools,worker}/**/*.{css,html,svg,ts,tsx}")
  .filter((path) => !path.endsWith(".test.ts") && path !== ICON)
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

function occurrences(pattern: RegExp, except: RegExp[] = []): string[] {
  return sources.flatMap(({ path, text }) => {
    const left = except.reduce((rest, internal) => rest.replace(internal, ""), text);
    return (left.match(pattern) ?? []).map((found) => `${path}: ${found}`);
  });
}

test("no source outside brand/ says the product's name", () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(occurrences(new RegExp(brand.name, "gi"), INTERNAL)).toEqual([]);
});

test("no source outside brand/ has a color of its own", () => {
  expect(occurrences(COLOR)).toEqual([]);
});

test.each([
  ["brand/tokens.css", themeStyle],
  [ICON, iconSvg],
])("%s is up to date with brand/; npm run generate -- brand writes it", (file, make) => {
  expect(readFileSync(file, "utf8")).toBe(make());
});
