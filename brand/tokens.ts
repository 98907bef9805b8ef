/**
 * The look, by role and not by color name. Nothing outside brand/ has a color of its own: style sheets use these as custom
 * properties (style.ts), and the mail, the icon and the WebGL lines take them directly.
 */
export const dark = {
  ground: "#05060a",
  raised: "#0c0e15",
  /** Cards let the backdrop shine through. */
  card: "rgb(8 10 16 / 0.82)",
  /** The navigation bar, once the page scrolls. */
  glass: "rgb(5 6 10 / 0.78)",
  text: "#f4f6fb",
  quiet: "#a9b1c6",
  line: "rgb(255 255 255 / 0.08)",
  lineStrong: "rgb(255 255 255 / 0.2)",
  surface: "rgb(255 255 255 / 0.03)",
  surfaceStrong: "rgb(255 255 255 / 0.06)",
  /** The drawings of the features. */
  stroke: "rgb(255 255 255 / 0.34)",
  strokeFaint: "rgb(255 255 255 / 0.16)",
  shadow: "rgb(0 0 0 / 0.6)",
  /** Gradients go from the accent to its far end. */
  accent: "#818cf8",
  accentFar: "#22d3ee",
  /** The ground, tinted with each: the backdrop where there is no WebGL. */
  accentShade: "#0a0d1c",
  accentFarShade: "#07131a",
  /** The grid behind the WebGL lines. */
  grid: "#0e1016",
  good: "#34d399",
  bad: "#fda4af",
} as const;

/** The light schemes' accent. Named once, because bundlers keep an object whose property another one reads. */
const accentOnLight = "#4f46e5";

/** The report follows its reader's color scheme. A role that is missing here can't be used there. */
export const light = {
  ground: "#f6f7fb",
  raised: "#ffffff",
  text: "#0b0e17",
  quiet: "#4a5268",
  line: "rgb(11 14 23 / 0.1)",
  accent: accentOnLight,
  accentFar: "#0891b2",
} as const satisfies Partial<Record<keyof typeof dark, string>>;

/** The mail in mail programs that are light, or don't say; those that are dark get the dark ones. */
export const mail = {
  ground: "#ffffff",
  heading: "#05060a",
  text: "#1f2430",
  quiet: "#6b7280",
  accent: accentOnLight,
  onAccent: "#ffffff",
} as const;

/** In pixels of the default text size. */
export const radius = { control: 10, card: 18 } as const;

/** fonts/sans.woff2 is Geist, its Latin letters, in all weights. */
export const font = {
  family: "Geist",
  weights: "100 900",
  /** What stretches Arial to its widths and heights, so that nothing moves when it arrives. */
  fallbackMetrics: {
    "size-adjust": "104.76%",
    "ascent-override": "95.94%",
    "descent-override": "28.16%",
    "line-gap-override": "0%",
  },
  /** Mail programs load no typeface. */
  mail: "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif",
} as const;
