import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { StartupError } from "./startup-error.ts";

const DATABASE_URL = "postgres://farwatch@localhost/farwatch";
const SECRET = "an example secret of 32 characters";
const PUBLIC_ORIGIN = "https://farwatch.example";

const pem = {
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
} as const;

const MAIL = { DATABASE_URL, SECRET, SMTP_URL: "smtp://localhost", PUBLIC_ORIGIN };

test("accepts only a private RSA key as DKIM_KEY", () => {
  const dkim = { ...MAIL, DKIM_DOMAIN: "farwatch.example", DKIM_SELECTOR: "a" };
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048, ...pem }).privateKey;
  expect(readConfig({ ...dkim, DKIM_KEY: rsa }).mail?.dkim?.privateKey).toBe(rsa);
  for (const other of [generateKeyPairSync("ed25519", pem).privateKey, "no key"])
    expect(() => readConfig({ ...dkim, DKIM_KEY: other })).toThrow("DKIM_KEY must be a private RSA key");
});

const INVITATIONS = { DATABASE_URL, SECRET, PUBLIC_ORIGIN, INVITE_URL: "https://app.farwatch.example/join" };

test("accepts one or more private Ed25519 keys as INVITE_KEYS", () => {
  const [one, two] = [generateKeyPairSync("ed25519", pem), generateKeyPairSync("ed25519", pem)];
  const read = (INVITE_KEYS: string) => readConfig({ ...INVITATIONS, INVITE_KEYS }).invitations?.keys.invitations;
  expect(read(one.privateKey)).toHaveLength(1);
  expect(read(`${two.privateKey}${one.privateKey}`)?.map((key) => key.export(pem.privateKeyEncoding))).toEqual([
    two.privateKey,
    one.privateKey,
  ]);
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048, ...pem }).privateKey;
  for (const wrong of [rsa, one.publicKey, `${one.privateKey}${rsa}`, "no key", one.privateKey.slice(0, 60)])
    expect(() => read(wrong)).toThrow("INVITE_KEYS must be private Ed25519 keys, as PEM");
  expect(() => read(one.privateKey + one.privateKey)).toThrow("INVITE_KEYS must not have the same key twice");
});

test("accepts INVITE_URL only with https or on loopback, and only with its keys, SECRET and PUBLIC_ORIGIN", () => {
  const INVITE_KEYS = generateKeyPairSync("ed25519", pem).privateKey;
  const read = (INVITE_URL: string) => readConfig({ ...INVITATIONS, INVITE_KEYS, INVITE_URL }).invitations;
  for (const url of [INVITATIONS.INVITE_URL, "http://localhost:5173/join", "http://127.0.0.1:1/"])
    expect(read(url)).toMatchObject({ url, issuer: PUBLIC_ORIGIN, lifetimeDays: 30 });
  const refusal = "INVITE_URL must be an https:// URL without a password, like https://app.example.com/join.";
  for (const url of "http://app.farwatch.example/ javascript:alert(1) /join https://me:hunter2@x.example".split(" "))
    expect(() => read(url)).toThrow(new StartupError(refusal));
  expect(() => readConfig({ DATABASE_URL, INVITE_URL: INVITATIONS.INVITE_URL })).toThrow(
    /INVITE_KEYS is needed with INVITE_URL.*\n.*SECRET is needed.*\n.*PUBLIC_ORIGIN is needed/,
  );
  expect(() => readConfig({ DATABASE_URL, SECRET, INVITE_KEYS })).toThrow("INVITE_URL is needed with INVITE_KEYS");
});

test("parses LINK_KEYS as id:secret pairs, newest first, with 0 for SECRET", () => {
  const [b, c] = ["the second secret with 40 characters in it", "c:the third secret with a colon and an id in it"];
  expect(readConfig({ DATABASE_URL, SECRET }).keys?.links).toEqual([{ id: "0", secret: SECRET }]);
  expect(readConfig({ DATABASE_URL, SECRET, LINK_KEYS: `c:${c},b:${b},0` }).keys?.links).toEqual([
    { id: "c", secret: c },
    { id: "b", secret: b },
    { id: "0", secret: SECRET },
  ]);
  expect(readConfig({ DATABASE_URL, SECRET, ERASURE_KEY: b }).keys?.erasures.secret).toBe(b);
  for (const wrong of ["b", "b:short", `B:${b}`, b])
    expect(() => readConfig({ DATABASE_URL, SECRET, LINK_KEYS: wrong })).toThrow("LINK_KEYS must be id:secret pairs");
  expect(() => readConfig({ DATABASE_URL, LINK_KEYS: `b:${b}` })).toThrow("SECRET is needed with LINK_KEYS");
});

test("the team's console starts with settings that it shares with servers and workers", () => {
  const team = { CONSOLE_ORIGIN: "https://console.example", OIDC_ISSUER: "https://login.example", OIDC_CLIENT_ID: "x" };
  const MAIL_EVENTS = `resend=whsec_${"a+/=".repeat(8)}`;
  const mail = { MAIL_EVENTS, PUBLIC_ORIGIN, DKIM_DOMAIN: "farwatch.example", DKIM_SELECTOR: "a" };
  const others = { REDIS_URL: "redis://localhost", INVITE_URL: INVITATIONS.INVITE_URL, WEBHOOK_HOSTS: "crm.example" };
  expect(readConfig({ DATABASE_URL, ...team, OIDC_CLIENT_SECRET: SECRET, ...mail, ...others }).team).toBeDefined();
});
