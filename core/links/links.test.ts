import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { createToken, verifyToken } from "./links.ts";

const SECRET = "a secret of at least 32 characters";
const keys = createKeys(SECRET);
const ada = { id: "42", email_key: "ada@example.com" };
const soon = new Date(Date.now() + 60_000);

test("accepts a token until it expires", () => {
  const token = createToken("membership", keys, ada, soon);
  expect(verifyToken(keys, token)?.id).toBe("42");
  expect(verifyToken(keys, token, "membership", new Date(soon.getTime() - 1))?.id).toBe("42");
  expect(verifyToken(keys, token, "membership", soon)).toBeUndefined();
});

test("matches a token only to the person it is for, not to someone with the same id after a restored backup", () => {
  const token = verifyToken(keys, createToken("membership", keys, ada, soon));
  expect(token?.isFor(ada)).toBe(true);
  expect(token?.isFor({ ...ada, email_key: "bob@example.com" })).toBe(false);
  expect(token?.isFor({ ...ada, id: "43" })).toBe(false);
});

test("rejects a token for another purpose", () => {
  const [member, unsubscribe] = [
    createToken("membership", keys, ada, soon),
    createToken("unsubscribe", keys, ada, soon),
  ];
  expect(verifyToken(keys, unsubscribe, "unsubscribe")?.isFor(ada)).toBe(true);
  expect(verifyToken(keys, unsubscribe)).toBeUndefined();
  expect(verifyToken(keys, member, "unsubscribe")).toBeUndefined();
});

test("rejects a token signed with another secret or changed in any character", () => {
  const rotated = createKeys(SECRET, { links: [{ id: "b", secret: "another secret of 32 characters!" }] });
  for (const ring of [keys, rotated]) {
    const token = createToken("membership", ring, ada, soon);
    expect(verifyToken(createKeys(`${SECRET}!`), token)).toBeUndefined();
    expect(verifyToken(ring, token.replace(/^42/, "43"))).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (place, other) => {
        fc.pre(token[place] !== other);
        expect(verifyToken(ring, token.slice(0, place) + other + token.slice(place + 1))).toBeUndefined();
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => verifyToken(ring, text) === undefined));
  }
});

test("signs the same token in every release, byte for byte", () => {
  const token = "42.agKL9uamYXm.zzzzzzzz.7qY3YWSd4hZv5F8TJLAVVPObCfFWuno8L87KFB2wlpg";
  expect(createToken("membership", keys, ada, new Date(Number.parseInt("zzzzzzzz", 36)))).toBe(token);
});

test("accepts links after a key rotation, until their key is withdrawn", () => {
  const [b, c] = ["b", "c"].map((id) => ({ id, secret: `${id} is a secret of 32 characters or more` })) as [
    { id: string; secret: string },
    { id: string; secret: string },
  ];
  const first = createToken("membership", keys, ada, soon);
  const second = createKeys(SECRET, { links: [b, { id: "0" }] });
  const third = createKeys(SECRET, { links: [c, b] });
  expect(createToken("membership", second, ada, soon)).toContain(".b.");
  expect(verifyToken(second, first)?.isFor(ada)).toBe(true);
  expect(verifyToken(third, createToken("membership", second, ada, soon))?.isFor(ada)).toBe(true);
  expect(verifyToken(third, first)).toBeUndefined();
  expect(verifyToken(keys, createToken("membership", second, ada, soon))).toBeUndefined();
});

test("accepts links of a replaced SECRET that is listed with id 0", () => {
  const renewed = createKeys("the new secret of 32 characters!!", {
    links: [{ id: "n" }, { id: "0", secret: SECRET }],
  });
  expect(verifyToken(renewed, createToken("membership", keys, ada, soon))?.isFor(ada)).toBe(true);
});
