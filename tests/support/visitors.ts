import { globSync, readFileSync } from "node:fs";
import { type Locator, test } from "@playwright/test";
import { chromiumWithoutWebgl, chromiumWithWebgl } from "#tools/chromium.ts";
import { specCoverage } from "./spec-coverage.ts";

export interface Screen {
  width: number;
  height: number;
}

interface Visitor {
  /** Device pixels per CSS pixel; 1 unless given. */
  density?: number;
  /** Pages open on the first screen. The second is the phone or tablet rotated, or the browser zoomed. */
  screens: [Screen, ...Screen[]];
  input: "touch" | "mouse" | "keyboard";
  hasMotion: boolean;
  prefersDark?: boolean;
  /** Only two visitors have WebGL, because in software it is slow. */
  hasWebgl: boolean;
  /** Whether the site sends mail. */
  hasMail: boolean;
  /** The page that openPage opens by default. */
  arrivesAt?: string;
  /** The visitor's date; today unless given. */
  date?: string;
  /** Whether the visitor switches to another tab on submitting the form. */
  leavesOnSubmit?: boolean;
  /** Whether the page comes over plain HTTP, where browsers hide some functions from it. */
  isInsecure?: boolean;
}

/** A link as campaigns have it. */
export const CAMPAIGN =
  "/?utm_source=newsletter&utm_medium=email&utm_campaign=2026-11-launch&utm_content=header-button";

const [moving, drawing] = [
  { hasMotion: true, hasWebgl: false, hasMail: false },
  { hasMotion: true, prefersDark: true, hasWebgl: true, hasMail: false },
];

/** Any three consecutive visitors include touch, WebGL, motion without WebGL, and both color schemes. */
export const VISITORS: Record<string, Visitor> = {
  phone: { ...drawing, density: 2, input: "touch", screens: [size(390, 844), size(320, 568), size(568, 320)] },
  keyboard: {
    ...moving,
    hasMotion: false,
    input: "keyboard",
    screens: [size(1280, 720), size(640, 360), size(2560, 1440)],
  },
  tablet: { ...moving, input: "touch", screens: [size(820, 1180), size(1180, 820)], date: "2028-02-29T23:58" },
  laptop: {
    ...drawing,
    density: 1.5,
    hasMail: true,
    input: "mouse",
    screens: [size(1440, 900)],
    leavesOnSubmit: true,
  },
  large: { ...moving, input: "mouse", screens: [size(2560, 1440)], arrivesAt: CAMPAIGN, isInsecure: true },
};

function size(width: number, height: number): Screen {
  return { width, height };
}

export const settingsOf = ({ screens, density = 1, input, hasMotion, prefersDark, hasWebgl, hasMail }: Visitor) => ({
  viewport: screens[0],
  deviceScaleFactor: density,
  hasTouch: input === "touch",
  isMobile: input === "touch",
  colorScheme: prefersDark ? ("dark" as const) : ("light" as const),
  contextOptions: { reducedMotion: hasMotion ? "no-preference" : "reduce" } as const,
  launchOptions: hasWebgl ? chromiumWithWebgl : chromiumWithoutWebgl,
  hasMail,
});

const NAMES = Object.keys(VISITORS);
/** Three sizes, two of them also turned or zoomed, one of them without motion. */
const SIZES = ["phone", "tablet", "keyboard"];
const MIN_VISITORS = 3;

/** Tests that draw with WebGL at full speed. */
export const GRAPHICS = /\b(backdrop|backdrop-picture|policy)\.test\.ts$/;
export const CONSOLE = /\bconsole[^/]*\.test\.ts$/;

/**
 * The visitors that run each page test of spec-coverage. Lines of sections 1 and 2, the page's content, and the first
 * tests of section 4, its states, run at three sizes; every other line is tested by at least three visitors.
 */
function spreadVisitors(): Map<string, string[]> {
  const pageTests = globSync("tests/e2e/*.test.ts")
    .filter((file) => !GRAPHICS.test(file) && !CONSOLE.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join();
  // Compares the ends of titles, because some are built in loops.
  const lines = specCoverage().map(({ line, titles }) => ({
    line,
    titles: titles.filter((title) => pageTests.includes(title.slice(-15))),
  }));
  const visitors = new Map(lines.flatMap(({ titles }) => titles.map((title) => [title, [] as string[]])));
  for (const { line, titles } of lines) {
    if (titles.length >= MIN_VISITORS || !/^[124]\./.test(line)) continue;
    for (const title of line.startsWith("4.") ? titles.slice(0, 1) : titles) visitors.set(title, SIZES);
  }
  let turn = 0;
  // Assigns lines with few tests first, because they leave no choice.
  for (const { titles } of lines.toSorted((one, other) => one.titles.length - other.titles.length)) {
    for (;;) {
      const seenBy = new Set(titles.flatMap((title) => visitors.get(title) ?? []));
      const counts = titles.map((title) => visitors.get(title)?.length ?? 0);
      const rarest = titles[counts.indexOf(Math.min(...counts))];
      if (!rarest || (seenBy.size >= MIN_VISITORS && Math.min(...counts) > 0)) break;
      const next = NAMES[turn++ % NAMES.length] ?? "";
      if (seenBy.size >= MIN_VISITORS || !seenBy.has(next)) visitors.get(rarest)?.push(next);
    }
  }
  return visitors;
}

const spread = spreadVisitors();

/**
 * Playwright's options for a visitor's tests. The keyboard visitor also runs the tests that spec-coverage doesn't name.
 * With EVERY_VISITOR, all visitors run those it names.
 */
export function testsOf(name: string): { grep: RegExp; grepInvert?: RegExp } {
  const isOwn = (visitors: string[]) => Boolean(process.env.EVERY_VISITOR) || visitors.includes(name);
  const titles = (own: boolean) =>
    [...spread].filter(([, visitors]) => isOwn(visitors) === own).map(([title]) => title);
  return name === "keyboard"
    ? { grep: /^/, grepInvert: endingWith(titles(false)) }
    : { grep: endingWith(titles(true)) };
}

/** Playwright matches a test's project, file and title at once. */
function endingWith(titles: string[]): RegExp {
  return new RegExp(` (${titles.map(RegExp.escape).join("|")})$`);
}

/** The visitor of the current test, if it has one. */
export const visitor = () => VISITORS[test.info().project.name];

/** Taps, clicks or presses Enter, as the visitor does. */
export async function activate(target: Locator): Promise<void> {
  const input = visitor()?.input;
  if (input === "touch") await target.tap();
  else if (input === "keyboard") await target.press("Enter");
  else await target.click();
}
