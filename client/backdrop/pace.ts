/**
 * How finely and how often the backdrop may draw. Many business visitors sit at remote desktops without a GPU, where a
 * full-resolution frame can cost more than a core has to give. So it begins low on this ladder, measures what a frame
 * costs, and climbs while drawing leaves the machine to its user. Below the last step the gradient looks better.
 */
export const LADDER: Pace[] = [
  { scale: 1, fps: 60 },
  { scale: 0.75, fps: 60 },
  { scale: 0.5, fps: 60 },
  { scale: 0.5, fps: 30 },
  { scale: 0.5, fps: 15 },
];

export const FIRST_STEP = 3;

export interface Pace {
  /** Of the window's own resolution. */
  scale: number;
  fps: number;
}

/** Of all the time there is: what drawing may take on the step above to climb to it, and on this one to stay. */
const COMFORTABLE = 1 / 3;
const TOO_MUCH = 1 / 2;

/**
 * Where to go when a frame was seen to cost this much: up one, on, down one, or (undefined) off the ladder. `highest` is
 * the best step not yet found too dear, so that it never goes up and down for ever.
 */
export function nextStep(step: number, ms: number, highest: number): number | undefined {
  const here = LADDER[step];
  const above = LADDER[step - 1];
  if (!here || ms * here.fps > 1000 * TOO_MUCH) return step + 1 < LADDER.length ? step + 1 : undefined;
  if (!above || step <= highest) return step;
  const costAbove = ms * (above.scale / here.scale) ** 2;
  return costAbove * above.fps <= 1000 * COMFORTABLE ? step - 1 : step;
}

const TIME_PER_FRAME = 0.05;

/** A frame means 1/60 s: on a faster or slower display, time goes by the clock and not by the frame. */
export function advance(time: number, seconds: number): number {
  return time + seconds * 60 * TIME_PER_FRAME;
}
