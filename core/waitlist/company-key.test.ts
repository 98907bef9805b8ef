import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { companyKey } from "./company-key.ts";

test.each([
  ["Acme, Inc.", "acme"],
  ["ACME", "acme"],
  ["  Acme   GmbH ", "acme"],
  ["Ａｃｍｅ", "acme"],
  ["Procter & Gamble Co", "procter gamble"],
  ["Société Générale SA", "société générale"],
  ["Straßenbau", "strassenbau"],
  ["ΟΔΟΣ", "οδοσ"],
  ["Inc", "inc"],
])("%j is %j", (typed, key) => {
  expect(companyKey(typed)).toBe(key);
});

test.each(["", "  ", "-", "n/a", "N.A.", "None", "—", "ﷺ".repeat(200)])("%j names no company", (typed) => {
  expect(companyKey(typed)).toBeUndefined();
});

describe("for any name", () => {
  const anyName = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
  const always = (property: (name: string) => void) =>
    fc.assert(fc.property(anyName, property), {
      numRuns: 5000,
      examples: [["ΑΣ'Α"], ["ß"], ["İ"], ["ﬁ"], ["ΐ"], ["Ǆ"]],
    });

  test("a key is its own key", () => {
    always((name) => {
      const key = companyKey(name);
      if (key !== undefined) expect(companyKey(key)).toBe(key);
    });
  });

  test("the name in capitals or in small letters is the same company", () => {
    always((name) => {
      expect(companyKey(name.toUpperCase())).toBe(companyKey(name));
      expect(companyKey(name.toLowerCase())).toBe(companyKey(name));
    });
  });

  test("an accent is the same whether it is part of its letter or follows it", () => {
    always((name) => {
      expect(companyKey(name.normalize("NFD"))).toBe(companyKey(name.normalize("NFC")));
    });
  });

  test("punctuation and spaces around it, and a legal form after it, change nothing", () => {
    always((name) => {
      expect(companyKey(` "${name}" `)).toBe(companyKey(name));
      if (companyKey(name)) expect(companyKey(`${name}, Inc.`)).toBe(companyKey(name));
    });
  });
});

test("full-width letters are the letters they are wide versions of", () => {
  const ascii = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });
  const wide = (text: string) => text.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
  fc.assert(
    fc.property(ascii, (name) => {
      expect(companyKey(wide(name))).toBe(companyKey(name));
    }),
  );
});
