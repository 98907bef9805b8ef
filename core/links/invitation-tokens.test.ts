import { createHash, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { emailKey } from "#core/people/address.ts";
import { inviteUrl } from "./invitation-tokens.ts";

const SECRET = "a secret of at least 32 characters";
const { privateKey } = generateKeyPairSync("ed25519");
const person = (address: string) => ({ id: "1", email_key: emailKey(address) as EmailKey });
const [ada, bob] = [person("ada@example.com"), person("bob@example.com")];
const [first, second] = ["1", "2"] as const;

function config(keys = createKeys(SECRET, { invitations: [privateKey] })) {
  return { url: "https://app.example/#/join", issuer: "https://list.example", lifetimeDays: 7, keys };
}
const tokenOf = (url: string) => new URL(url).searchParams.get("invitation") ?? "";
const claimsOf = (url: string) => decodeJwt(tokenOf(url));

test("gives every copy of an invitation the same jti, and other people and waves another", async () => {
  const url = await inviteUrl(config(), ada, first);
  const { jti, sub } = claimsOf(url);
  const tomorrow = new Date(Date.now() + 86_400_000);
  expect(claimsOf(await inviteUrl(config(), ada, first, tomorrow))).toMatchObject({ jti, sub });
  expect(claimsOf(await inviteUrl(config(), ada, second)).jti).not.toBe(jti);
  expect(claimsOf(await inviteUrl(config(), ada, second)).sub).toBe(sub);
  expect(claimsOf(await inviteUrl(config(), bob, first)).jti).not.toBe(jti);
  expect(claimsOf(await inviteUrl(config(), bob, first)).sub).not.toBe(sub);
});

test("keeps jti and sub when SECRET is replaced and ERASURE_KEY keeps the old one", async () => {
  const renewed = createKeys("the new secret of 32 characters!!", { erasures: SECRET, invitations: [privateKey] });
  const { jti, sub } = claimsOf(await inviteUrl(config(), ada, first));
  expect(claimsOf(await inviteUrl(config(renewed), ada, first))).toMatchObject({ jti, sub });
});

test("expires after the configured days, and contains no address", async () => {
  const url = await inviteUrl(config(), ada, first, new Date("2026-11-15T00:00:00Z"));
  expect(url).toMatch(/^https:\/\/app\.example\/\?invitation=[^#]+#\/join$/);
  expect(claimsOf(url)).toMatchObject({ iat: 1_794_700_800, exp: 1_794_700_800 + 7 * 86_400 });
  expect(JSON.stringify(claimsOf(url))).not.toMatch(/ada|example\.com/);
});

test.each(["Jose\u0301@Example.com", "ΝΊΚΟΣ@example.com"])(
  "the recipe in docs/invitations.md hashes %s",
  async (typed) => {
    const [, recipe] = /compare `email_hash` with `(.+?)`/.exec(readFileSync("docs/invitations.md", "utf8")) ?? [];
    const hash = new Function("createHash", "jti", "address", `return ${recipe}`);
    const { jti, email_hash } = claimsOf(await inviteUrl(config(), person(typed), first));
    expect(hash(createHash, jti, typed)).toBe(email_hash);
  },
);
