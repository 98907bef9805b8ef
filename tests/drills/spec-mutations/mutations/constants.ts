import type { MutationRow } from "#tests/drills/spec-mutations/mutations.ts";

const SHADERS = "site/backdrop/shaders.ts";
const MOTION_CSS = "site/motion.css";
const TOAST_REGION = "site/toast/toast-region.tsx";
const TOAST_CSS = "site/toast/toast.css";
const TOASTS = "site/toast/toasts.ts";

/** Section 9 of the specification. */
export const CONSTANTS: MutationRow[] = [
  ["9.1", "1 ms less", TOASTS, "DURATION_MS = 5000", "DURATION_MS = 4999"],
  ["9.1", "2 ms more", TOASTS, "DURATION_MS = 5000", "DURATION_MS = 5002"],
  [
    "9.1",
    "error toasts close after 1500 ms",
    TOAST_REGION,
    '          open={toast.state === "open"}',
    '          open={toast.state === "open"}\n          duration={toast.variant === "destructive" ? 1500 : DURATION_MS}',
  ],
  [
    "9.1",
    "after a dismissed toast, the next never closes",
    TOAST_REGION,
    "<Radix.Provider key={toast?.id}",
    "<Radix.Provider",
  ],
  [
    "9.1",
    "a toast that replaces another has only the time left",
    TOAST_REGION,
    "key={toast?.id}",
    "key={toast?.state}",
  ],
  ["9.2", "removed after a second", TOASTS, "REMOVE_AFTER_MS = 1_000_000", "REMOVE_AFTER_MS = 1000"],
  ["9.3", "a swipe of 50 px dismisses", TOAST_REGION, "SWIPE_THRESHOLD = 50", "SWIPE_THRESHOLD = 49"],
  ["9.3", "a swipe of 51 px doesn't dismiss", TOAST_REGION, "SWIPE_THRESHOLD = 50", "SWIPE_THRESHOLD = 51"],
  ["9.4", "F9 instead of F8", TOAST_REGION, '"F8"', '"F9"'],
  ["9.5", "480 px wide", TOAST_CSS, "max-width: 420px", "max-width: 480px"],
  [
    "9.5",
    "below 1264 px the viewport is at the top, full width",
    TOAST_CSS,
    "@media (width >= 40rem)",
    "@media (width >= 79rem)",
  ],
  ["9.5", "wider than 420 px above 1400 px", TOAST_CSS, "max-width: 420px;", "max-width: max(420px, 30vw);"],
  [
    "9.6",
    "the hero's text doesn't fade",
    MOTION_CSS,
    "@keyframes fade-up {\n  from {\n    opacity: 0;",
    "@keyframes fade-up {\n  from {",
  ],
  ["9.6", "the third item is late", MOTION_CSS, "animation-delay: 0.9s;", "animation-delay: 1s;"],
  ["9.6", "the hero's text is there before it fades in", MOTION_CSS, "0.5s both;", "0.5s forwards;"],
  ["9.7", "the pills take 2 s", MOTION_CSS, "pill-in 2.4s", "pill-in 2s"],
  [
    "9.7",
    "pills pop in within 24 ms",
    MOTION_CSS,
    "    transform: translateY(-9rem) rotate(-15deg);\n  }",
    "    transform: translateY(-9rem) rotate(-15deg);\n  }\n  1% {\n    opacity: 1;\n    transform: none;\n  }",
  ],
  ["9.8", "the loop takes 10 s", MOTION_CSS, "float 12s", "float 10s"],
  [
    "9.8",
    "pills swing sideways twice in the vertical loop",
    MOTION_CSS,
    "transform: translateY(7.5px);",
    "transform: translateX(40px);",
  ],
  ["9.8", "the pills float only once", MOTION_CSS, "steps(15) infinite", "steps(15) 1"],
  ["9.9", "the cards don't fade in", MOTION_CSS, ".feature {\n  animation:", ".feature {\n  --unused:"],
  [
    "9.9",
    "the cards don't fade in on arrival",
    MOTION_CSS,
    ".feature {\n  animation:",
    '[data-reveal="shown"] {\n  animation:',
  ],
  ["9.9", "the third card isn't delayed", MOTION_CSS, ".feature:nth-child(3) {", ".feature:nth-child(9) {"],
  [
    "9.9",
    "the cards don't fade in when scrolled to",
    "site/sections/features/use-reveal.ts",
    "boundingClientRect.top > 0",
    "boundingClientRect.top < 0",
  ],
  ["9.10", "time runs faster", "site/backdrop/quality.ts", "TIME_PER_FRAME = 0.05", "TIME_PER_FRAME = 0.06"],
  ["9.10", "lines run faster", SHADERS, "LINE_SPEED = 0.05", "LINE_SPEED = 0.06"],
  ["9.10", "eight cells per unit", SHADERS, "GRID_CELLS_PER_UNIT = 10", "GRID_CELLS_PER_UNIT = 8"],
  [
    "9.10",
    "time advances four times as fast",
    "site/backdrop/renderer.ts",
    "time = advance(time, Math.min(",
    "time = advance(time, 4 * Math.min(",
  ],
  ["9.10", "time runs slower at a low frame rate", "site/backdrop/renderer.ts", "Math.min(0.1,", "Math.min(0.02,"],
];
