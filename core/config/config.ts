import { createPrivateKey } from "node:crypto";
import { type Environment, environment } from "./environment.ts";
import { createKeys, createSampleKeys, FIRST_KEY_ID } from "./keys.ts";
import { readSettingFiles } from "./setting-files.ts";
import { hasExamplePostalAddress, hasExampleSender } from "./setting-rules.ts";
import { parseLinkKey } from "./setting-schemas.ts";
import { StartupError } from "./startup-error.ts";
import { findTeamProblems } from "./team-settings.ts";

type Name = keyof Environment;

/** Never repeated in error messages, because those end up in logs. A rejected URL may contain a password. */
const SECRETS = /(_URL|KEYS?|SECRET|MAIL_EVENTS)$/;

export type Config = ReturnType<typeof toConfig>;

/** Everything needed to send mail. */
export type MailConfig = NonNullable<Config["mail"]>;

/** Everything needed to sign invitations to the product. */
export type InvitationConfig = NonNullable<Config["invitations"]>;

export type TeamConfig = NonNullable<Config["team"]>;

/** Parses the environment. Throws one error that lists every bad setting. */
export function readConfig(env = process.env): Config {
  // An empty variable counts as unset.
  const given = Object.fromEntries(
    Object.entries({ ...env, ...readSettingFiles(Object.keys(environment.shape), env) }).filter(
      ([, value]) => value !== "",
    ),
  );
  const result = environment.safeParse(given);
  const problems = result.error?.issues.map(({ path, message }) => describe(String(path[0]), message, given)) ?? [];
  const requireWith = (name: Name, by: Name, reason: string) => {
    if (given[by] && !given[name]) problems.push(`${name} is needed with ${by}, ${reason}`);
  };
  requireWith("SECRET", "SMTP_URL", "to sign the links in emails");
  requireWith("SECRET", "LINK_KEYS", "for everything that isn't a link");
  requireWith("PUBLIC_ORIGIN", "SMTP_URL", "for the links in emails");
  requireWith("INVITE_URL", "INVITE_KEYS", "where invited people sign up");
  // The team's console shares settings with servers and workers, but not their secrets.
  if (!given.CONSOLE_ORIGIN) {
    requireWith("SECRET", "REDIS_URL", "the same for every instance");
    requireWith("INVITE_KEYS", "INVITE_URL", "to sign invitations");
    requireWith("SECRET", "INVITE_URL", "to derive the ids of invited people");
    requireWith("SECRET", "WEBHOOK_HOSTS", "to derive the ids of people");
    requireWith("SMTP_URL", "MAIL_EVENTS", "because events are about its mail");
    if (given.MAIL_EVENTS && given.MAIL_WORKER !== "apart") {
      problems.push("MAIL_WORKER=apart is needed with MAIL_EVENTS, because only a separate worker may connect out");
    }
    const dkim = ["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY"].filter((name) => given[name]);
    if (dkim.length % 3 !== 0) problems.push("DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY are needed together");
  }
  requireWith("PUBLIC_ORIGIN", "INVITE_URL", "as the issuer of invitations");
  problems.push(...findTeamProblems(given));
  const { SMTP_URL, MAIL_FROM = "", MAIL_POSTAL_ADDRESS = "" } = result.data ?? {};
  const requireOwn = (name: Name, value: string) =>
    problems.push(`${name} must be your own address, got "${value}". Set it, or put your own into brand/brand.ts`);
  if (hasExampleSender(SMTP_URL, MAIL_FROM)) requireOwn("MAIL_FROM", MAIL_FROM);
  if (hasExamplePostalAddress(SMTP_URL, MAIL_POSTAL_ADDRESS)) requireOwn("MAIL_POSTAL_ADDRESS", MAIL_POSTAL_ADDRESS);
  if (!result.success || problems.length > 0) throw new StartupError(formatProblems(problems));
  return toConfig(result.data);
}

/** For commands that need only the database: `waitlist migrate` must not fail because of a mail setting. */
export function readDatabaseUrl({ DATABASE_URL, DATABASE_URL_FILE } = process.env): string {
  return readConfig({ DATABASE_URL, DATABASE_URL_FILE }).DATABASE_URL;
}

/** Settings that are used only through the objects below. */
type Grouped =
  | "MAIL_FROM"
  | "MAIL_PER_MINUTE"
  | "CONSOLE_ORIGIN"
  | "SECRET"
  | "LINK_KEYS"
  | "ERASURE_KEY"
  | "SMTP_URL"
  | `${"DKIM" | "INVITE" | "OIDC"}_${string}`;

/** Groups related settings into one optional object, so that no secret is empty and mail always has a sender. */
function toConfig(env: Environment) {
  const others: Omit<Environment, Grouped> = env;
  const { SECRET, ERASURE_KEY, PUBLIC_ORIGIN: origin, WEBHOOK_HOSTS: webhookHosts } = env;
  /** Undefined without SECRET; then there are no member pages. */
  const keys = SECRET
    ? createKeys(SECRET, {
        links: env.LINK_KEYS.map(parseLinkKey),
        erasures: ERASURE_KEY,
        invitations: env.INVITE_KEYS.map((pem) => createPrivateKey(pem)),
      })
    : undefined;
  const { DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_KEY: privateKey } = env;
  const dkim = domainName && keySelector && privateKey ? { domainName, keySelector, privateKey } : undefined;
  const product =
    env.INVITE_URL && origin ? { url: env.INVITE_URL, issuer: origin, lifetimeDays: env.INVITE_DAYS } : undefined;
  /** If undefined, inviting someone only stores a date. `url` is the product's sign-up page. */
  const invitations = product && keys && { ...product, keys };
  const sender = origin
    ? { from: env.MAIL_FROM, origin, postalAddress: env.MAIL_POSTAL_ADDRESS, perMinute: env.MAIL_PER_MINUTE }
    : undefined;
  const mail =
    env.SMTP_URL && keys && sender
      ? { smtpUrl: env.SMTP_URL, ...sender, keys, dkim, invitations, webhookHosts }
      : undefined;
  const { CONSOLE_ORIGIN, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  /** Everything the team's console needs beyond the database. Of the servers' keys, it has only the one for erasures. */
  const team =
    CONSOLE_ORIGIN && issuer && clientId && clientSecret
      ? {
          origin: CONSOLE_ORIGIN,
          issuer,
          clientId,
          clientSecret,
          roleClaim: env.OIDC_ROLE_CLAIM,
          parts: {
            keys: ERASURE_KEY ? { erasures: { id: FIRST_KEY_ID, secret: ERASURE_KEY } } : undefined,
            mail: sender,
            invitations: product && { ...product, keys: createSampleKeys() },
            webhookHosts,
          },
        }
      : undefined;
  return { ...others, keys, mail, invitations, team };
}

function describe(name: string, message: string, given: Record<string, string | undefined>): string {
  const value = given[name];
  if (value === undefined) return `${name} is required`;
  return `${name} ${message}${SECRETS.test(name) ? "" : `, got "${value}"`}`;
}

function formatProblems(problems: string[]): string {
  const [first] = problems;
  return problems.length === 1
    ? `${first}.`
    : `Some settings are invalid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`;
}
