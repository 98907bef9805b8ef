import fc from "fast-check";
import { expect, test } from "vitest";
import { companyKey } from "./company-key.ts";

test.each([
  ["Acme, Inc.", "acme"],
  ["  Acme   GmbH ", "acme"],
  ["Ａｃｍｅ", "acme"],
  ["Procter & Gamble Co", "procter gamble"],
  ["Société Générale SA", "société générale"],
  ["Straßenbau", "strassenbau"],
  ["ΟΔΟΣ", "οδοσ"],
  ["Inc", "inc"],
])("normalizes %j to %j", (typed, key) => {
  expect(companyKey(typed)).toBe(key);
});

test.each(["", "  ", "-", "n/a", "N.A.", "None", "—", "ﷺ".repeat(200)])("finds no company in %j", (typed) => {
  expect(companyKey(typed)).toBeUndefined();
});

test("the key of any name is its own key, whatever the case, accents, punctuation and legal form around it", () => {
  const anyName = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
  const isStable = (name: string) => {
    const key = companyKey(name);
    for (const same of [name.toUpperCase(), name.toLowerCase(), ` "${name}" `]) expect(companyKey(same)).toBe(key);
    expect(companyKey(name.normalize("NFD"))).toBe(companyKey(name.normalize("NFC")));
    if (key) for (const same of [key, `${name}, Inc.`]) expect(companyKey(same)).toBe(key);
  };
  fc.assert(fc.property(anyName, isStable), { numRuns: 5000, examples: [["ΑΣ'Α"], ["ß"], ["İ"], ["ﬁ"], ["ΐ"], ["Ǆ"]] });
});
