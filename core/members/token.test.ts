import fc from "fast-check";
import { expect, test } from "vitest";
import { membershipToken, openToken } from "./token.ts";

const SECRET = "a secret of at least 32 characters";
const ada = { id: "42", email_key: "ada@example.com" };
const soon = new Date(Date.now() + 60_000);

test("opens the page of the one it was made for, until it expires", () => {
  const token = membershipToken(SECRET, ada, soon);
  expect(openToken(SECRET, token)?.id).toBe("42");
  expect(openToken(SECRET, token, new Date(soon.getTime() - 1))?.id).toBe("42");
  expect(openToken(SECRET, token, soon)).toBeUndefined();
});

test("is for the one it was made for, and not for who has the same number after a backup was restored", () => {
  const token = openToken(SECRET, membershipToken(SECRET, ada, soon));
  expect(token?.isFor(ada)).toBe(true);
  expect(token?.isFor({ ...ada, email_key: "bob@example.com" })).toBe(false);
  expect(token?.isFor({ ...ada, id: "43" })).toBe(false);
});

test("opens nothing with another secret, or when anything in it is changed", () => {
  const token = membershipToken(SECRET, ada, soon);
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
