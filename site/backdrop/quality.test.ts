import { expect, test } from "vitest";
import { advance, FIRST_STEP, keptFrames, LADDER, nextStep } from "./quality.ts";

/** Returns the final quality, given the time of a full-resolution frame and the share of frames that aren't dropped. */
function settle(fullFrameMs: number, kept = 1) {
  let step: number | undefined = FIRST_STEP;
  let highest = 0;
  for (let check = 0; check < 20; check += 1) {
    const { scale } = LADDER[step] ?? { scale: 0 };
    const next = nextStep(step, { ms: fullFrameMs * scale * scale, kept }, highest);
    if (next === undefined) return "gives up";
    if (next > step) highest = next;
    step = next;
  }
  return LADDER[step];
}

test("time advances 0.05 a frame, and a frame is 1/60 s whatever the display's rate", () => {
  expect(advance(0, 1 / 60)).toBeCloseTo(0.05);
  let at120 = 0;
  for (let frame = 0; frame < 120; frame += 1) at120 = advance(at120, 1 / 120);
  expect(at120).toBeCloseTo(3);
});

test("climbs to full resolution at 60 fps when frames cost next to nothing", () => {
  expect(settle(1)).toEqual({ scale: 1, fps: 60 });
});

test("lowers first the resolution and then the frame rate as pixels get more expensive", () => {
  expect(settle(8)).toEqual({ scale: 0.75, fps: 60 });
  expect(settle(20)).toEqual({ scale: 0.5, fps: 60 });
  expect(settle(40)).toEqual({ scale: 0.5, fps: 30 });
  expect(settle(100)).toEqual({ scale: 0.5, fps: 15 });
});

test("gives up, so that the gradient takes over, when even the lowest quality is too expensive", () => {
  expect(settle(200)).toBe("gives up");
});

test("does not retry a step that was too expensive", () => {
  const easy = { ms: 1, kept: 1 };
  expect(nextStep(1, easy, 1)).toBe(1);
  expect(nextStep(1, easy, 0)).toBe(0);
});

test("stays low when frames are dropped, however fast they are drawn", () => {
  expect(settle(1, 0.8)).toEqual({ scale: 0.5, fps: 15 });
  expect(nextStep(2, { ms: 1, kept: 0.4 }, 0)).toBe(3);
  expect(nextStep(4, { ms: 1, kept: 0.4 }, 0)).toBe(4);
});

test("computes the share of kept frames from their intervals, at any refresh rate", () => {
  expect(keptFrames(Array(100).fill(20))).toBeCloseTo(1);
  expect(keptFrames([...Array(50).fill(16.7), ...Array(10).fill(33.4)])).toBeCloseTo(60 / 70);
});
