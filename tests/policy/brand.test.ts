import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { iconSvg } from "#brand/icon.ts";

/** Generated from brand/, so it may contain the product's name and colors. */
const ICON = "site/public/icon.svg";

/** Internal names that survive a rename, because dashboards, Redis and cached pages depend on them. */
const INTERNAL = [
  // Metrics, used by deploy/alerts.yaml and deploy/dashboard.json.
  /\bfarwatch_\w+/g,
  // The database roles, named for their programs.
  /`farwatch_\$\{program\}`/g,
  // The Redis key prefix.
  /"farwatch:"/g,
  // The Trusted Types policy: fixed, so that during a rollout one version's header matches another's script.
  /\bfarwatch-backdrop\b/g,
  // The cookies of the team's console: sessions outlast a rename.
  /__Host-farwatch-(session|sign-in-)/g,
  // Temporary folders.
  /"farwatch-(mail|postgres)-"/g,
];

const COLOR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(|vec3\(\s*[\d.]+\s*,.*/gi;

const sources = globSync(
  "{cli,console,contract,core,server,site,tools,worker}/**/*.{css,html,json,svg,ts,tsx,txt,webmanifest,xml}",
)
  .filter((path) => !path.endsWith(".test.ts") && path !== ICON)
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

function occurrences(pattern: RegExp, except: RegExp[] = []): string[] {
  return sources.flatMap(({ path, text }) => {
    const remaining = except.reduce((rest, internal) => rest.replace(internal, ""), text);
    return (remaining.match(pattern) ?? []).map((found) => `${path}: ${found}`);
  });
}

test("no source outside brand/ contains the product name or postal address", () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(occurrences(new RegExp(`${brand.name}|${brand.postalAddress}`, "gi"), INTERNAL)).toEqual([]);
});

test("no source outside brand/ contains a color literal", () => {
  expect(occurrences(COLOR)).toEqual([]);
});

test(`${ICON} is up to date with brand/ (fix: npm run generate -- brand)`, () => {
  expect(readFileSync(ICON, "utf8")).toBe(iconSvg());
});
