import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig, readDatabaseUrl } from "./config.ts";
import { StartupError } from "./startup-error.ts";

const DATABASE_URL = "postgres://farwatch@localhost/farwatch";
const SECRET = "an example secret of 32 characters";
const MAIL = { DATABASE_URL, SECRET, SMTP_URL: "smtp://localhost", PUBLIC_ORIGIN: "https://farwatch.example" };

test("requires only DATABASE_URL", () => {
  const { keys, mail, invitations, ...config } = readConfig({ DATABASE_URL });
  expect([keys, mail, invitations]).toEqual([undefined, undefined, undefined]);
  expect(config).toMatchObject({ HOST: "127.0.0.1", PRIVATE_HOST: "127.0.0.1", PORT: 3000, LIMIT_PER_CLIENT: 60 });
  expect(config).toMatchObject({ MAIL_EVENTS: {}, TRUST_PROXY: [], WEBHOOK_HOSTS: [], ALLOW_DATA_LOSS: [] });
});

const REPEATED = [
  "x".repeat(32),
  "changeme".repeat(4),
  "0123456701234567".repeat(2),
  "abcabcabdabcabcabdabcabcabd0abcabcabd",
];
const NO_DATES = ["2027-02-29", "2027-2-1", "tomorrow", "2027-02-01T00:00"];

test.each([
  ["TRUST_PROXY", "must be addresses or CIDRs", "1 true loopback 10.0.0.0/33 10.0.0.0/8/8 10.0.0/8 *".split(" ")],
  // These ranges include other people's machines.
  [
    "TRUST_PROXY",
    "must name your own proxies",
    "0.0.0.0/0 ::/0 10.0.0.0/7 0:0::/96 ::ffff:0:0/96 ::ffff:0.0.0.0/96".split(" "),
  ],
  ["SECRET", "must be random", REPEATED],
  ["ERASURE_KEY", "must be random", REPEATED],
  ["LINK_KEYS", "must be random", REPEATED.map((secret) => `b:${secret}`)],
  ["LINK_KEYS", "must not have the same id twice", [`b:${SECRET},b:${SECRET}!`, `0,b:${SECRET},0`]],
  ["MAIL_EVENTS", "must be ses=<topic ARN>", "ses=topic postmark=short resend=whsec_short mailgun=x ses".split(" ")],
  ["LAUNCH_DATE", "must be a date", NO_DATES],
  ["PURGE_UNCONFIRMED_SINCE", "must be a date", NO_DATES],
  [
    "WEBHOOK_HOSTS",
    "must be hosts",
    "https://crm.example Crm.example me@crm.example crm.example/x crm.example=10/8".split(" "),
  ],
  // The privacy text promises 30 days at most.
  ["BACKUP_DAYS", "must be from 1 to 30", ["0", "31", "1.5"]],
])("%s %s", (name, message, wrong) => {
  for (const value of wrong)
    expect(() => readConfig({ DATABASE_URL, SECRET, [name]: value })).toThrow(`${name} ${message}`);
});

test("accepts trusted proxies as addresses or CIDRs, a date that exists, and backups of 30 days", () => {
  const proxies = ["10.0.0.0/8", "2001:db8::/32", "127.0.0.1", "fc00::/7", "::1/128", "::ffff:10.0.0.0/104"];
  const dates = { LAUNCH_DATE: "2028-02-29", BACKUP_DAYS: "30" };
  expect(readConfig({ DATABASE_URL, TRUST_PROXY: proxies.join(", "), ...dates })).toMatchObject({
    TRUST_PROXY: proxies,
    LAUNCH_DATE: "2028-02-29",
    BACKUP_DAYS: 30,
  });
});

test("requires SECRET with REDIS_URL", () => {
  const shared = { DATABASE_URL, REDIS_URL: "redis://localhost" };
  expect(() => readConfig(shared)).toThrow("SECRET is needed with REDIS_URL");
  expect(() => readConfig({ ...shared, SECRET: "short" })).toThrow("SECRET must have at least 32 characters");
  expect(readConfig({ ...shared, SECRET: "an example secret of 32 characters" }).REDIS_URL).toBe("redis://localhost");
});

test("lists every setting that mail still needs, and has no mail without SMTP_URL", () => {
  expect(() => readConfig({ DATABASE_URL, SMTP_URL: "smtp://localhost", DKIM_DOMAIN: "x" })).toThrow(
    /SECRET is needed.*\n.*PUBLIC_ORIGIN is needed.*\n.*DKIM_DOMAIN/,
  );
  expect(readConfig({ DATABASE_URL }).mail).toBeUndefined();
});

test("MAIL_EVENTS has a secret per provider, and needs a separate mail worker", () => {
  const MAIL_EVENTS = `ses=arn:aws:sns:eu-west-1:123456789012:farwatch,resend=whsec_${"a+/=".repeat(8)}`;
  expect(readConfig({ ...MAIL, MAIL_EVENTS, MAIL_WORKER: "apart" }).MAIL_EVENTS).toEqual({
    ses: "arn:aws:sns:eu-west-1:123456789012:farwatch",
    resend: `whsec_${"a+/=".repeat(8)}`,
  });
  expect(() => readConfig({ ...MAIL, MAIL_EVENTS })).toThrow("MAIL_WORKER=apart is needed with MAIL_EVENTS");
});

test("accepts only durability settings in ALLOW_DATA_LOSS", () => {
  expect(readConfig({ DATABASE_URL, ALLOW_DATA_LOSS: "fsync" }).ALLOW_DATA_LOSS).toEqual(["fsync"]);
  expect(() => readConfig({ DATABASE_URL, ALLOW_DATA_LOSS: "yes" })).toThrow("ALLOW_DATA_LOSS");
});

test("lists every bad setting in one error", () => {
  expect(() => readConfig({ DATABASE_URL: "mysql://x", PORT: "70000", LOG_LEVEL: "loud" })).toThrow(
    [
      "Some settings are invalid:",
      "  DATABASE_URL must be a postgres:// URL",
      '  PORT must be a number from 0 to 65535, got "70000"',
      '  LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, got "loud"',
    ].join("\n"),
  );
});

test("reads any setting from a file, which keeps secrets out of the environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const DATABASE_URL_FILE = join(folder, "database-url");
  writeFileSync(DATABASE_URL_FILE, `${DATABASE_URL}\n`);
  expect(readConfig({ DATABASE_URL_FILE }).DATABASE_URL).toBe(DATABASE_URL);
  expect(() => readConfig({ DATABASE_URL, SECRET_FILE: join(folder, "nothing") })).toThrow(
    /^SECRET_FILE names .* which can't be read\.$/,
  );
});

test("reads the database's URL whatever the mail settings are", () => {
  expect(readDatabaseUrl({ DATABASE_URL, SMTP_URL: "smtps://smtp.provider.com", DKIM_KEY_FILE: "nothing" })).toBe(
    DATABASE_URL,
  );
  expect(() => readDatabaseUrl({ DATABASE_URL: "mysql://u:hunter2@x" })).toThrow(
    new StartupError("DATABASE_URL must be a postgres:// URL."),
  );
});

test("reports a single bad setting in one sentence with its value, and an empty one as missing", () => {
  expect(() => readConfig({ DATABASE_URL, PORT: "abc" })).toThrow(
    new StartupError('PORT must be a number from 0 to 65535, got "abc".'),
  );
  expect(() => readConfig({ DATABASE_URL: "", PORT: "" })).toThrow(new StartupError("DATABASE_URL is required."));
});

test("never repeats a secret in an error message", () => {
  const names = "SECRET LINK_KEYS MAIL_EVENTS SMTP_URL REDIS_URL ERASURE_KEY DKIM_KEY INVITE_KEYS".split(" ");
  const wrong = Object.fromEntries(names.map((name) => [name, "hunter2"]));
  expect(() => readConfig({ ...wrong, DATABASE_URL: "mysql://u:hunter2@x" })).toThrow(/^((?!hunter2)[\s\S])*$/);
});

test("rejects a .example sender unless the SMTP server is on loopback", () => {
  const example = { ...MAIL, MAIL_FROM: "Us <us@us.example>" };
  const elsewhere = { ...example, SMTP_URL: "smtps://user:password@smtp.provider.com" };
  const refusal = 'MAIL_FROM must be your own address, got "Us <us@';
  expect(() => readConfig(elsewhere)).toThrow(refusal);
  expect(() => readConfig({ ...elsewhere, MAIL_FROM: "Us <us@our.company>" })).not.toThrow(refusal);
  for (const host of ["localhost", "127.0.0.1:1025", "[::1]:25"])
    expect(readConfig({ ...example, SMTP_URL: `smtp://${host}` }).mail?.from).toContain("@us.example");
});

test("rejects the example postal address unless the mail is caught", () => {
  const example = { ...MAIL, MAIL_FROM: "Us <us@us.example>", MAIL_POSTAL_ADDRESS: "100 Example Street, Example City" };
  const elsewhere = {
    ...example,
    SMTP_URL: "smtps://user:password@smtp.provider.com",
    MAIL_FROM: "Us <us@our.company>",
  };
  expect(() => readConfig(elsewhere)).toThrow(
    'MAIL_POSTAL_ADDRESS must be your own address, got "100 Example Street, Example City". Set it, or put your own into brand/brand.ts',
  );
  const MAIL_POSTAL_ADDRESS = "1 Main Street, Springfield, IL 62701";
  expect(readConfig({ ...elsewhere, MAIL_POSTAL_ADDRESS }).mail?.postalAddress).toBe(MAIL_POSTAL_ADDRESS);
  expect(readConfig({ ...example, SMTP_URL: "smtp://mailpit:1025" }).mail?.from).toContain(".example");
});
