import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { readConfig } from "./config.ts";

const DATABASE_URL = "postgres://farwatch@localhost/farwatch";

test("only the database must be named", () => {
  expect(readConfig({ DATABASE_URL })).toEqual({
    DATABASE_URL,
    HOST: "127.0.0.1",
    PORT: 3000,
    PRIVATE_HOST: "127.0.0.1",
    DRAIN_MS: 2000,
    LOG_LEVEL: "info",
    MAIL_FROM: `${brand.name} <${brand.mail}>`,
    MAIL_PER_MINUTE: 600,
    MAIL_WORKER: "inside",
    TRUST_PROXY: [],
    LIMIT_PER_CLIENT: 60,
    LIMIT_PER_ADDRESS: 10,
    LIMIT_WAITING: 10_000,
    ALLOW_DATA_LOSS: [],
  });
});

test("proxies are named by address or CIDR, and nothing looser is taken", () => {
  const { TRUST_PROXY } = readConfig({ DATABASE_URL, TRUST_PROXY: "10.0.0.0/8, 2001:db8::/32,127.0.0.1" });
  expect(TRUST_PROXY).toEqual(["10.0.0.0/8", "2001:db8::/32", "127.0.0.1"]);
  for (const wrong of ["1", "true", "loopback", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0/8", "*"]) {
    expect(() => readConfig({ DATABASE_URL, TRUST_PROXY: wrong })).toThrow("TRUST_PROXY: must be addresses or CIDRs");
  }
});

test("instances that count together need a secret in common", () => {
  const shared = { DATABASE_URL, REDIS_URL: "redis://localhost" };
  expect(() => readConfig(shared)).toThrow("SECRET: is needed with REDIS_URL");
  expect(() => readConfig({ ...shared, SECRET: "short" })).toThrow("SECRET: must have at least 32 characters");
  expect(readConfig({ ...shared, SECRET: "x".repeat(32) }).REDIS_URL).toBe("redis://localhost");
});

test("a durability setting may be off only when it is named", () => {
  expect(readConfig({ DATABASE_URL, ALLOW_DATA_LOSS: "fsync" }).ALLOW_DATA_LOSS).toEqual(["fsync"]);
  expect(() => readConfig({ DATABASE_URL, ALLOW_DATA_LOSS: "yes" })).toThrow("ALLOW_DATA_LOSS");
});

test("every bad key is listed at once", () => {
  expect(() => readConfig({ DATABASE_URL: "mysql://x", PORT: "70000", LOG_LEVEL: "loud" })).toThrow(
    /DATABASE_URL: must be a postgres:\/\/ address\n {2}PORT: .*\n {2}LOG_LEVEL: /,
  );
});

test("an empty variable counts as not set", () => {
  expect(readConfig({ DATABASE_URL, PORT: "" }).PORT).toBe(3000);
  expect(() => readConfig({ DATABASE_URL: "" })).toThrow("DATABASE_URL");
});

test("every setting may stand in a file instead, so that no secret is in the environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const DATABASE_URL_FILE = join(folder, "database-url");
  writeFileSync(DATABASE_URL_FILE, `${DATABASE_URL}\n`);
  expect(readConfig({ DATABASE_URL_FILE }).DATABASE_URL).toBe(DATABASE_URL);
  expect(() => readConfig({ DATABASE_URL, SECRET_FILE: join(folder, "nothing") })).toThrow(
    /SECRET_FILE: .*can't be read/,
  );
});

test("mails are signed with an RSA key or not at all", () => {
  const pem = {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  } as const;
  const dkim = { DATABASE_URL, DKIM_DOMAIN: "farwatch.example", DKIM_SELECTOR: "a" };
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048, ...pem }).privateKey;
  expect(readConfig({ ...dkim, DKIM_KEY: rsa }).DKIM_KEY).toBe(rsa);
  for (const other of [generateKeyPairSync("ed25519", pem).privateKey, "no key"]) {
    expect(() => readConfig({ ...dkim, DKIM_KEY: other })).toThrow("DKIM_KEY: must be a private RSA key");
  }
});
