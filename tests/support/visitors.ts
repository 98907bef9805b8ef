import { type Locator, test } from "@playwright/test";
import { chromiumOptions, chromiumWithoutWebgl } from "#tools/chromium.ts";
import { specCoverage } from "./spec-coverage.ts";

export interface Screen {
  width: number;
  height: number;
}

interface Visitor {
  /** The first is the one that pages open on; a phone and a tablet are also turned, and a browser zoomed. */
  screens: [Screen, ...Screen[]];
  input: "touch" | "mouse" | "keyboard";
  hasMotion: boolean;
  /** Software WebGL takes much time, so only two have it. */
  hasWebgl: boolean;
  /** Whether the site sends mail. */
  hasMail: boolean;
}

const [moving, drawing] = [
  { hasMotion: true, hasWebgl: false, hasMail: false },
  { hasMotion: true, hasWebgl: true, hasMail: false },
];

/** Any three in a row include touch, WebGL, and motion without WebGL. */
export const VISITORS: Record<string, Visitor> = {
  phone: { ...drawing, input: "touch", screens: [size(390, 844), size(844, 390)] },
  keyboard: { ...moving, hasMotion: false, input: "keyboard", screens: [size(1280, 720), size(640, 360)] },
  tablet: { ...moving, input: "touch", screens: [size(820, 1180), size(1180, 820)] },
  laptop: { ...drawing, hasMail: true, input: "mouse", screens: [size(1440, 900)] },
  large: { ...moving, input: "mouse", screens: [size(2560, 1440)] },
};

function size(width: number, height: number): Screen {
  return { width, height };
}

/** The Playwright settings of a visitor. */
export const settingsOf = ({ screens, input, hasMotion, hasWebgl, hasMail }: Visitor) => ({
  viewport: screens[0],
  hasTouch: input === "touch",
  isMobile: input === "touch",
  contextOptions: { reducedMotion: hasMotion ? "no-preference" : "reduce" } as const,
  launchOptions: hasWebgl ? chromiumOptions : chromiumWithoutWebgl,
  hasMail,
});

const NAMES = Object.keys(VISITORS);
const coverage = specCoverage();

/**
 * Who runs a test of the page. What the specification's sections 1 and 2 place on the page is seen on three sizes; its
 * other tests rotate among the visitors, three each; tests of our own choices run once. EVERY_VISITOR runs all as all.
 */
function visitorsOf(test: string): string[] {
  const covered = coverage.flatMap(({ line, titles }) =>
    titles.filter((title) => test.includes(` ${title}`)).map((title) => ({ line, title })),
  );
  const [first] = covered;
  if (!first) return ["keyboard"];
  if (process.env.EVERY_VISITOR) return NAMES;
  if (covered.some(({ line }) => /^[12]\./.test(line))) return ["phone", "tablet", "large"];
  const start = first.title.length % NAMES.length;
  return [...NAMES, ...NAMES].slice(start, start + 3);
}

/** Matches the tests that a visitor runs, for Playwright's option `grep`. */
export class RunBy extends RegExp {
  override test(title: string): boolean {
    return visitorsOf(title).includes(this.source);
  }
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
