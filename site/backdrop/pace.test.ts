import { expect, test } from "vitest";
import { advance, FIRST_STEP, keptFrames, LADDER, nextStep } from "./pace.ts";

/** Where it ends on a machine that needs this long for a full-resolution frame, and shows as many as it is asked to. */
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

test("where frames cost next to nothing, it climbs to full resolution, 60 times a second", () => {
  expect(settle(1)).toEqual({ scale: 1, fps: 60 });
});

test("where pixels are dear, it draws fewer of them, and then less often", () => {
  expect(settle(8)).toEqual({ scale: 0.75, fps: 60 });
  expect(settle(20)).toEqual({ scale: 0.5, fps: 60 });
  expect(settle(40)).toEqual({ scale: 0.5, fps: 30 });
  expect(settle(100)).toEqual({ scale: 0.5, fps: 15 });
});

test("where even the last step is too dear, it gives up, for the gradient to take over", () => {
  expect(settle(200)).toBe("gives up");
});

test("a step once found too dear is not tried again", () => {
  const easy = { ms: 1, kept: 1 };
  expect(nextStep(1, easy, 1)).toBe(1);
  expect(nextStep(1, easy, 0)).toBe(0);
});

test("where showing frames is what costs, it stays low, however quickly they are drawn", () => {
  expect(settle(1, 0.8)).toEqual({ scale: 0.5, fps: 15 });
  expect(nextStep(2, { ms: 1, kept: 0.4 }, 0)).toBe(3);
  expect(nextStep(4, { ms: 1, kept: 0.4 }, 0)).toBe(4);
});

test("the share of frames kept is told from the times between them, at any display's rate", () => {
  expect(keptFrames(Array(100).fill(20))).toBeCloseTo(1);
  expect(keptFrames([...Array(50).fill(16.7), ...Array(10).fill(33.4)])).toBeCloseTo(60 / 70);
});
