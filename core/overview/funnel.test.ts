import { expect, test } from "vitest";
import { describeFunnel } from "./funnel.ts";

const FUNNEL = { views: 1204, joined: 86, confirmed: 61, invited: 40, accepted: 12, hasPartialViews: false };

test.each([
  ["each step's rate", {}, "1,204 views, 86 joined (7%), 61 confirmed (71%), 40 invited (66%), 12 accepted (30%)"],
  ["no rate of partial views", { hasPartialViews: true }, "at least 1,204 views, 86 joined, 61 confirmed (71%), "],
  ["no rate of fewer views than people", { views: 80 }, "80 views, 86 joined, 61 confirmed (71%), "],
  ["no rate of nothing", { joined: 0, confirmed: 0, invited: 0 }, "0 joined (0%), 0 confirmed, 0 invited, "],
])("a funnel in words has %s", (_what, changes, text) => {
  expect(describeFunnel({ ...FUNNEL, ...changes })).toContain(text);
});
