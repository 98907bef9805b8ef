import { expect, test } from "vitest";
import { describeAhead } from "./line-text.ts";

test.each([
  ["a place in line", describeAhead(1204, "them"), "1,204 people are ahead of them"],
  ["the first place in line", describeAhead(0, "you"), "Nobody is ahead of you"],
  ["a place beyond a million", describeAhead(1_204_499, "you"), "About 1,204,000 people are ahead of you"],
])("describes %s", (_what, described, expected) => {
  expect(described).toBe(expected);
});
