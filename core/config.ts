import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import * as z from "zod/mini";
import { brand } from "#brand/brand.ts";
import { DURABILITY_SETTINGS } from "#core/database/durability.ts";

const port = z.coerce.number().check(z.int(), z.gte(0), z.lte(65535));
const atLeastOne = z.coerce.number().check(z.int(), z.gte(1));
const network = z.string().check(z.refine(isNetwork, "must be addresses or CIDRs, separated by commas"));

const environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }),
  REDIS_URL: z.optional(z.url({ protocol: /^rediss?$/, error: "must be a redis:// address" })),
  HOST: z._default(z.string(), "127.0.0.1"),
  PORT: z._default(port, 3000),
  PRIVATE_HOST: z._default(z.string(), "127.0.0.1"),
  PRIVATE_PORT: z.optional(port),
  DRAIN_MS: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(8000)), 2000),
  LOG_LEVEL: z._default(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
  PUBLIC_ORIGIN: z.optional(z.string().check(z.refine(isOrigin, "must be an origin, like https://example.com"))),
  TRUST_PROXY: list(network),
  KEPT_ASSETS: z.optional(z.string()),
  LIMIT_PER_CLIENT: z._default(atLeastOne, 60),
  LIMIT_PER_ADDRESS: z._default(atLeastOne, 10),
  LIMIT_WAITING: z._default(atLeastOne, 10_000),
  SECRET: z.optional(z.string().check(z.minLength(32, "must have at least 32 characters"))),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" })),
  MAIL_FROM: z._default(z.string(), `${brand.name} <${brand.mail}>`),
  MAIL_PER_MINUTE: z._default(atLeastOne, 600),
  MAIL_WORKER: z._default(z.enum(["inside", "apart"]), "inside"),
  DKIM_DOMAIN: z.optional(z.string()),
  DKIM_SELECTOR: z.optional(z.string()),
  DKIM_KEY: z.optional(z.string().check(z.refine(isRsaKey, "must be a private RSA key, as PEM"))),
  ALLOW_DATA_LOSS: list(z.enum(DURABILITY_SETTINGS)),
});

export type Config = z.infer<typeof environment>;

export class ConfigError extends Error {}

/** The environment, parsed once. Throws one error that lists every bad key. */
export function readConfig(env = process.env): Config {
  // A variable that is set to nothing is a variable that is not set.
  const given = Object.fromEntries(Object.entries({ ...env, ...readFiles(env) }).filter(([, value]) => value !== ""));
  const result = environment.safeParse(given);
  const issues = result.error?.issues.map(({ path, message }) => `${path[0]?.toString()}: ${message}`) ?? [];
  if (given.REDIS_URL && !given.SECRET) issues.push("SECRET: is needed with REDIS_URL, the same for every instance");
  if (given.SMTP_URL && !given.SECRET) issues.push("SECRET: is needed with SMTP_URL, to sign the links in mails");
  if (given.SMTP_URL && !given.PUBLIC_ORIGIN)
    issues.push("PUBLIC_ORIGIN: is needed with SMTP_URL, for the links in mails");
  const dkim = ["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY"].filter((name) => given[name]);
  if (dkim.length % 3 !== 0) issues.push("DKIM_DOMAIN, DKIM_SELECTOR, DKIM_KEY: are needed together");
  if (result.success && issues.length === 0) return result.data;
  throw new ConfigError(`The configuration is not usable:\n${issues.map((issue) => `  ${issue}`).join("\n")}`);
}

/** What stands in files: SECRET_FILE=/run/secrets/secret says where SECRET is, and so for every setting. */
function readFiles(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(environment.shape).filter((name) => env[`${name}_FILE`]);
  return Object.fromEntries(names.map((name) => [name, readFile(`${name}_FILE`, env[`${name}_FILE`] ?? "")]));
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    throw new ConfigError(`The configuration is not usable:\n  ${name}: ${path} can't be read`);
  }
}

function list<Item extends string>(item: z.core.$ZodType<Item, string>) {
  const split = z.transform((text: string) => text.split(",").flatMap((entry) => entry.trim() || []));
  return z.pipe(z.pipe(z._default(z.string(), ""), split), z.array(item));
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text;
}

/** "10.0.0.1" or "10.0.0.0/8". Nothing looser: whoever is trusted here may say where a visitor comes from. */
function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const most = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return rest.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** With any other kind nodemailer sends mails without a signature, and says nothing. */
function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
