import { expect, test } from "vitest";
import { gridLines } from "./shaders.ts";

test("the grid covers a window of any aspect ratio, in cells one tenth of its height", () => {
  for (const aspect of [0.4, 1, 1.6, 3]) {
    const { vertical, horizontal } = gridLines(aspect);
    expect((vertical - 1) / 10).toBeGreaterThanOrEqual(aspect);
    expect(horizontal).toBe(11);
  }
});
