import fc from "fast-check";
import { expect, test } from "vitest";
import { membershipToken, openToken } from "./token.ts";

const SECRET = "a secret of at least 32 characters";
const soon = new Date(Date.now() + 60_000);

test("opens the page of the one it was made for, until it expires", () => {
  const token = membershipToken(SECRET, "42", soon);
  expect(openToken(SECRET, token)).toBe("42");
  expect(openToken(SECRET, token, new Date(soon.getTime() - 1))).toBe("42");
  expect(openToken(SECRET, token, soon)).toBeUndefined();
});

test("opens nothing with another secret, or when anything in it is changed", () => {
  const token = membershipToken(SECRET, "42", soon);
  expect(openToken(`${SECRET}!`, token)).toBeUndefined();
  expect(openToken(SECRET, token.replace(/^42/, "43"))).toBeUndefined();
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, other) => {
      fc.pre(token[place] !== other);
      expect(openToken(SECRET, token.slice(0, place) + other + token.slice(place + 1))).toBeUndefined();
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => openToken(SECRET, text) === undefined));
});
