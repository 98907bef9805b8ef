import fc from "fast-check";
import { expect, test } from "vitest";
import { companyKey } from "./company-key.ts";

test.each([
  ["Acme, Inc.", "acme"],
  ["ACME", "acme"],
  ["  Acme   GmbH ", "acme"],
  ["Ａｃｍｅ", "acme"],
  ["Procter & Gamble Co", "procter gamble"],
  ["Société Générale SA", "société générale"],
  ["Inc", "inc"],
])("%j is %j", (typed, key) => {
  expect(companyKey(typed)).toBe(key);
});

test.each(["", "  ", "-", "n/a", "N.A.", "None", "—"])("%j names no company", (typed) => {
  expect(companyKey(typed)).toBeUndefined();
});

test("a key is its own key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const key = companyKey(name);
      if (key !== undefined) expect(companyKey(key)).toBe(key);
    }),
    { numRuns: 2000 },
  );
});
