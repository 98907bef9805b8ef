/**
 * How finely and how often the backdrop may draw. Many business visitors sit at remote desktops without a GPU, where a
 * full-resolution frame can cost more than a core has to give, and putting the page on top of it as much again. So it
 * begins at the foot of this ladder and climbs while the machine has time to spare. Below it the gradient looks better.
 */
export const LADDER: Pace[] = [
  { scale: 1, fps: 60 },
  { scale: 0.75, fps: 60 },
  { scale: 0.5, fps: 60 },
  { scale: 0.5, fps: 30 },
  { scale: 0.5, fps: 15 },
];

export const FIRST_STEP = 4;

export interface Pace {
  /** Of the window's own resolution. */
  scale: number;
  fps: number;
}

export interface Observed {
  /** What a frame costs to draw. */
  ms: number;
  /** Of the frames the display could show, the share that the browser kept up with: showing them has its cost too. */
  kept: number;
}

/** Of all the time there is: what drawing may take on the step above to climb to it, and on this one to stay. */
const COMFORTABLE = 1 / 3;
const TOO_MUCH = 1 / 2;
const SMOOTH = 0.93;
const ROUGH = 0.5;

/**
 * Where to go from here: up one, on, down one, or (undefined) off the ladder. `highest` is the best step not yet found
 * too dear, so that it never goes up and down for ever.
 */
export function nextStep(step: number, { ms, kept }: Observed, highest: number): number | undefined {
  const here = LADDER[step];
  const above = LADDER[step - 1];
  const below = step + 1 < LADDER.length ? step + 1 : undefined;
  if (!here || ms * here.fps > 1000 * TOO_MUCH) return below;
  if (kept < ROUGH) return below ?? step;
  if (!above || step <= highest || kept < SMOOTH) return step;
  const costAbove = ms * (above.scale / here.scale) ** 2;
  return costAbove * above.fps <= 1000 * COMFORTABLE ? step - 1 : step;
}

/** From the times between a browser's frames; the middle one is the display's own, since most are on time. */
export function keptFrames(intervals: number[]): number {
  const usual = intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? 0;
  return (intervals.length * usual) / intervals.reduce((sum, interval) => sum + interval, 0);
}

const TIME_PER_FRAME = 0.05;

/** A frame means 1/60 s: on a faster or slower display, time goes by the clock and not by the frame. */
export function advance(time: number, seconds: number): number {
  return time + seconds * 60 * TIME_PER_FRAME;
}
