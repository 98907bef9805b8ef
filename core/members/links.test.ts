import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeys } from "#core/keys.ts";
import { memberToken, openToken } from "./links.ts";

const SECRET = "a secret of at least 32 characters";
const keys = createKeys(SECRET);
const ada = { id: "42", email_key: "ada@example.com" };
const soon = new Date(Date.now() + 60_000);

test("opens the page of the one it was made for, until it expires", () => {
  const token = memberToken(keys, ada, soon);
  expect(openToken(keys, token)?.id).toBe("42");
  expect(openToken(keys, token, new Date(soon.getTime() - 1))?.id).toBe("42");
  expect(openToken(keys, token, soon)).toBeUndefined();
});

test("is for the one it was made for, and not for who has the same number after a backup was restored", () => {
  const token = openToken(keys, memberToken(keys, ada, soon));
  expect(token?.isFor(ada)).toBe(true);
  expect(token?.isFor({ ...ada, email_key: "bob@example.com" })).toBe(false);
  expect(token?.isFor({ ...ada, id: "43" })).toBe(false);
});

test("opens nothing with another secret, or when anything in it is changed", () => {
  const rotated = createKeys(SECRET, { links: [{ id: "b", secret: "another secret of 32 characters!" }] });
  for (const ring of [keys, rotated]) {
    const token = memberToken(ring, ada, soon);
    expect(openToken(createKeys(`${SECRET}!`), token)).toBeUndefined();
    expect(openToken(ring, token.replace(/^42/, "43"))).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, other) => {
        fc.pre(token[place] !== other);
        expect(openToken(ring, token.slice(0, place) + other + token.slice(place + 1))).toBeUndefined();
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => openToken(ring, text) === undefined));
  }
});

test("the link of version 1.0.0 opens, byte for byte", () => {
  const token = "42.agKL9uamYXm.zzzzzzzz.7qY3YWSd4hZv5F8TJLAVVPObCfFWuno8L87KFB2wlpg";
  expect(memberToken(keys, ada, new Date(Number.parseInt("zzzzzzzz", 36)))).toBe(token);
});

test("links outlive a rotation of their key, and end when it is withdrawn", () => {
  const [b, c] = ["b", "c"].map((id) => ({ id, secret: `${id} is a secret of 32 characters or more` })) as [
    { id: string; secret: string },
    { id: string; secret: string },
  ];
  const first = memberToken(keys, ada, soon);
  const second = createKeys(SECRET, { links: [b, { id: "0" }] });
  const third = createKeys(SECRET, { links: [c, b] });
  expect(memberToken(second, ada, soon)).toContain(".b.");
  expect(openToken(second, first)?.isFor(ada)).toBe(true);
  expect(openToken(third, memberToken(second, ada, soon))?.isFor(ada)).toBe(true);
  expect(openToken(third, first)).toBeUndefined();
  expect(openToken(keys, memberToken(second, ada, soon))).toBeUndefined();
});

test("a secret can be replaced: links of the old one are opened by its explicit entry", () => {
  const renewed = createKeys("the new secret of 32 characters!!", {
    links: [{ id: "n" }, { id: "0", secret: SECRET }],
  });
  expect(openToken(renewed, memberToken(keys, ada, soon))?.isFor(ada)).toBe(true);
});
