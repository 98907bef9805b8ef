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
])("normalizes %j to %j", (typed, key) => {
  expect(companyKey(typed)).toBe(key);
});

test.each(["", "  ", "-", "n/a", "N.A.", "None", "—", "ﷺ".repeat(200)])("finds no company in %j", (typed) => {
  expect(companyKey(typed)).toBeUndefined();
});

describe("the key of any company name", () => {
  const anyName = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
  const always = (property: (name: string) => void) =>
    fc.assert(fc.property(anyName, property), {
      numRuns: 5000,
      examples: [["ΑΣ'Α"], ["ß"], ["İ"], ["ﬁ"], ["ΐ"], ["Ǆ"]],
    });

  test("is its own key", () => {
    always((name) => {
      const key = companyKey(name);
      if (key !== undefined) expect(companyKey(key)).toBe(key);
    });
  });

  test("ignores case", () => {
    always((name) => {
      expect(companyKey(name.toUpperCase())).toBe(companyKey(name));
      expect(companyKey(name.toLowerCase())).toBe(companyKey(name));
    });
  });

  test("ignores whether accents are composed or decomposed", () => {
    always((name) => {
      expect(companyKey(name.normalize("NFD"))).toBe(companyKey(name.normalize("NFC")));
    });
  });

  test("ignores surrounding punctuation and spaces, and a trailing legal form", () => {
    always((name) => {
      expect(companyKey(` "${name}" `)).toBe(companyKey(name));
      if (companyKey(name)) expect(companyKey(`${name}, Inc.`)).toBe(companyKey(name));
    });
  });
});

test("normalizes full-width letters to ASCII", () => {
  const ascii = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });
  const wide = (text: string) => text.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
  fc.assert(
    fc.property(ascii, (name) => {
      expect(companyKey(wide(name))).toBe(companyKey(name));
    }),
  );
});

test("an ASCII name has the key of its full-width form", () => {
  const fullWidth = (name: string) =>
    name.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (name) => {
      expect(companyKey(name)).toBe(companyKey(fullWidth(name)));
    }),
    { numRuns: 2000 },
  );
});
