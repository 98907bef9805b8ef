/**
 * Design tokens, named by role instead of by color. Nothing outside brand/ defines a color: style sheets use these as
 * custom properties (style.ts), and the mail, the icon and the WebGL lines import them.
 */
export const dark = {
  ground: "#05060a",
  raised: "#0c0e15",
  card: "rgb(7 9 15 / 0.94)",
  /** A card is lit from above with the ground's own blue; neutral gray looks dirty on it. */
  cardLight: "rgb(150 165 255 / 0.075)",
  cardShade: "rgb(150 165 255 / 0.03)",
  /** The navigation bar after scrolling. */
  glass: "rgb(5 6 10 / 0.78)",
  text: "#f4f6fb",
  quiet: "#a9b1c6",
  line: "rgb(255 255 255 / 0.08)",
  lineStrong: "rgb(255 255 255 / 0.2)",
  surface: "rgb(255 255 255 / 0.03)",
  surfaceStrong: "rgb(255 255 255 / 0.06)",
  /** The feature illustrations. */
  stroke: "rgb(255 255 255 / 0.34)",
  strokeFaint: "rgb(255 255 255 / 0.16)",
  shadow: "rgb(0 0 0 / 0.6)",
  /** Gradients run from `accent` to `accentFar`. */
  accent: "#9490f5",
  accentFar: "#59dff8",
  /** The background color tinted with each accent, for the gradient shown without WebGL. */
  accentShade: "#0a0d1c",
  accentFarShade: "#07131a",
  /** The backdrop's grid lines and dots: white at 5% and 16% over the ground, because WebGL takes no alpha. */
  grid: "#121216",
  gridDot: "#2d2e31",
  good: "#34d399",
  bad: "#fda4af",
  /** The threat in the backdrop, before it is found. */
  threat: "#ff5d73",
} as const;

/** The accent of the light schemes. A constant, because bundlers can't drop an object that another object reads. */
const accentOnLight = "#5449d0";

/** For the console, which follows prefers-color-scheme and uses only roles that both schemes define. */
export const light = {
  ground: "#f6f7fb",
  raised: "#ffffff",
  text: "#0b0e17",
  quiet: "#4a5268",
  line: "rgb(11 14 23 / 0.1)",
  lineStrong: "rgb(11 14 23 / 0.24)",
  surface: "rgb(11 14 23 / 0.03)",
  surfaceStrong: "rgb(11 14 23 / 0.06)",
  shadow: "rgb(11 14 23 / 0.16)",
  accent: accentOnLight,
  accentFar: "#008388",
  good: "#047857",
  bad: "#be123c",
} as const satisfies Partial<Record<keyof typeof dark, string>>;

/** For mail clients with a light scheme or an unknown one; those with a dark scheme get `dark`. */
export const mail = {
  ground: "#ffffff",
  heading: "#05060a",
  text: "#1f2430",
  quiet: "#6b7280",
  line: "#e3e5ec",
  accent: accentOnLight,
  onAccent: "#ffffff",
} as const;

/** In pixels at the default font size. */
export const radius = { control: 10, card: 18 } as const;

/** fonts/sans.woff2 is the Latin subset of Geist, in all weights. */
export const font = {
  family: "Geist",
  weights: "100 900",
  ascent: 1.005,
  descent: 0.295,
  /**
   * System fonts with two scales, for weights below 500 and from 500 up. They match Geist's width, so that nothing
   * moves when Geist loads after the first paint. Android has only Roboto, bare Linux only DejaVu Sans.
   */
  fallbacks: [
    { local: ["Arial", "Liberation Sans", "Helvetica", "Roboto", "Roboto-Regular"], scales: [1.03, 1.08] },
    { local: ["DejaVu Sans"], scales: [0.915, 0.961] },
  ],
  /** System fonts, because mail clients don't load web fonts. */
  mail: "ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif",
} as const;
