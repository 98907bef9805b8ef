import { expect, test } from "vitest";
import { gridLines, LINE_VERTEX } from "./shaders.ts";

test("the grid has cells one tenth of the window's height, up to the edges of a window eight times as wide", () => {
  const lines = Array.from({ length: gridLines.length / 4 }, (_, i) => gridLines.slice(4 * i, 4 * i + 4));
  const xs = lines.flatMap(([x1, , x2]) => (x1 === x2 ? [x1] : []));
  const ys = lines.flatMap(([, y1, , y2]) => (y1 === y2 ? [y1] : []));
  expect(xs).toEqual(Array.from({ length: 81 }, (_, i) => (i - 40) / 10));
  expect(ys).toEqual(Array.from({ length: 11 }, (_, i) => (i - 5) / 10));
});

test("the lines' curve is computed from time scaled by 0.05, and from no other time", () => {
  expect(LINE_VERTEX.match(/\btime\b.*/g)).toEqual(["time, halfWidth, line;", "time * 0.05;"]);
});
