/**
 * A quality is a resolution and a frame rate. Many business visitors use remote desktops without a GPU, where drawing
 * at full resolution can take more than one core, and compositing the page over it takes as much again. So the backdrop
 * starts at the bottom of this ladder and climbs while CPU time is left. Below the bottom step, the gradient looks
 * better.
 */
export const LADDER: Quality[] = [
  { scale: 1, fps: 60 },
  { scale: 0.75, fps: 60 },
  { scale: 0.5, fps: 60 },
  { scale: 0.5, fps: 30 },
  { scale: 0.5, fps: 15 },
];

export const FIRST_STEP = 4;

export interface Quality {
  /** Fraction of the window's resolution. */
  scale: number;
  fps: number;
}

export interface FrameStats {
  ms: number;
  /** Share of the display's frames that weren't dropped. Unlike `ms`, it reflects the cost of compositing too. */
  kept: number;
}

/** Share of wall time that drawing may take, estimated for the next step up and measured for the current one. */
const MAX_LOAD_TO_CLIMB = 1 / 3;
const MAX_LOAD_TO_STAY = 1 / 2;
/** Share of frames that must not be dropped. */
const MIN_KEPT_TO_CLIMB = 0.93;
const MIN_KEPT_TO_STAY = 0.5;

/**
 * Returns the next step: one up, the same, one down, or undefined to give up. `highest` excludes steps that have
 * proved too expensive, to prevent oscillation.
 */
export function nextStep(step: number, { ms, kept }: FrameStats, highest: number): number | undefined {
  const here = LADDER[step];
  const above = LADDER[step - 1];
  const below = step + 1 < LADDER.length ? step + 1 : undefined;
  if (!here || ms * here.fps > 1000 * MAX_LOAD_TO_STAY) return below;
  if (kept < MIN_KEPT_TO_STAY) return below ?? step;
  if (!above || step <= highest || kept < MIN_KEPT_TO_CLIMB) return step;
  const costAbove = ms * (above.scale / here.scale) ** 2;
  return costAbove * above.fps <= 1000 * MAX_LOAD_TO_CLIMB ? step - 1 : step;
}

/** A frame's cost is the fastest sample, because slower ones contain noise from the rest of the page. */
const SAMPLES = 15;
/** A machine that drops no frame climbs four steps in about 1.3 s. */
const SAMPLES_TO_CLIMB = 3;
const MIN_KEPT_TO_CLIMB_EARLY = 0.98;

/** Whether there are enough samples to choose the next step. Climbing needs fewer than descending. */
export function isEnough(samples: number, step: number, stats: FrameStats, highest: number): boolean {
  if (samples >= SAMPLES) return true;
  if (samples < SAMPLES_TO_CLIMB || stats.kept < MIN_KEPT_TO_CLIMB_EARLY) return false;
  const next = nextStep(step, stats, highest);
  return next !== undefined && next < step;
}

/** The share of frames that weren't dropped. Most are on time, so the median interval is the display's. */
export function keptFrames(intervals: number[]): number {
  const median = intervals.toSorted((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? 0;
  return (intervals.length * median) / intervals.reduce((sum, interval) => sum + interval, 0);
}

const TIME_PER_FRAME = 0.05;

/** Counts 1/60 s as a frame, so that the speed is the same at any refresh rate. */
export function advance(time: number, seconds: number): number {
  return time + seconds * 60 * TIME_PER_FRAME;
}
