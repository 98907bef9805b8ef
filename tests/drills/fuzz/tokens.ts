import fc from "fast-check";
import type { Keys } from "#core/config/keys.ts";
import { createToken, type Person } from "#core/links/links.ts";

const HOUR_MS = 3_600_000;
const later = () => new Date(Date.now() + HOUR_MS);
const earlier = () => new Date(Date.now() - HOUR_MS);

/** Tokens for member pages: some valid, some that must be rejected. */
export function tokensFor(members: Person[], keys: Keys, foreignKeys: Keys): fc.Arbitrary<string> {
  const member = fc.constantFrom(...members);
  const valid = member.map((person) => createToken("membership", keys, person, later()));
  return fc.oneof(
    { weight: 6, arbitrary: valid },
    { weight: 2, arbitrary: member.map((person) => createToken("unsubscribe", keys, person, later())) },
    member.map((person) => createToken("membership", foreignKeys, person, later())),
    member.map((person) => createToken("membership", keys, person, earlier())),
    // Correctly signed, but with another person's id, as after restoring a backup.
    fc
      .tuple(member, member)
      .map(([{ id }, { email_key }]) => createToken("membership", keys, { id, email_key }, later())),
    { weight: 2, arbitrary: fc.tuple(valid, fc.nat(), fc.nat(3), pathText).map(mutate) },
    pathText,
  );
}

/** Arbitrary path text: most bytes percent-encoded, some malformed. */
const pathText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).map(percentEncode),
  fc.constantFrom("", "a".repeat(200), ...". .. % %zz %00 %2f ..%2f..%2f a/b * :token 0.0.0.0".split(" ")),
);

/** Replaces, inserts or removes characters in the middle of a token. */
function mutate([token, at, removed, inserted]: [string, number, number, string]): string {
  const start = at % token.length;
  return token.slice(0, start) + inserted.slice(0, at % 4) + token.slice(start + removed);
}

function percentEncode(text: string): string {
  return [...Buffer.from(text, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
