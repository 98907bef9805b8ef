import { environment } from "#core/config/environment.ts";

type Name = keyof typeof environment.shape;

/** What each setting does. The type requires every setting once. */
const MEANINGS: Record<Name, string> = {
  DATABASE_URL: "`postgres://user:password@host/database`, PostgreSQL 15 or newer",
  HOST: "address to listen on",
  PORT: "port to listen on; 0 picks a free one",
  PRIVATE_PORT: "port for `/live`, `/ready` and `/metrics` (Prometheus)",
  PRIVATE_HOST: "address for the private port",
  DRAIN_MS:
    "milliseconds to keep listening after SIGTERM, at most 8000; requires `PRIVATE_PORT`. Set it to 0 behind nginx; raise it if your balancer checks `/ready` less than once a second",
  LOG_LEVEL: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; `warn` omits starts and stops",
  PUBLIC_ORIGIN:
    "the page's origin, such as `https://example.com`; required for links in emails, or if a proxy changes the Host header",
  TRUST_PROXY: "comma-separated addresses or CIDRs of the proxies whose `X-Forwarded-For` is trusted",
  HSTS_PRELOAD:
    "`yes` adds `includeSubDomains; preload` to `Strict-Transport-Security`. Every subdomain must then serve HTTPS, and leaving browsers' preload list takes months",
  KEPT_ASSETS: "a writable, persistent folder for the assets of the last ten builds",
  LIMIT_PER_CLIENT:
    "sign-ups per minute from one client ([rate limiting](architecture.md#rate-limiting)). Raise it for events where hundreds share an address",
  LIMIT_PER_ADDRESS: "sign-ups per hour with an address that is already on the list",
  REDIS_URL: "`redis://host`, for rate limits shared by several instances",
  SECRET:
    "at least 32 characters, the same on every instance; signs member links and hashes erased addresses. Required with `REDIS_URL`, `SMTP_URL` and `LINK_KEYS`",
  LINK_KEYS:
    "comma-separated `id:secret` pairs, newest first. The first secret signs member links; all verify them; `0` is `SECRET` ([rotating keys](operations.md#rotating-keys))",
  ERASURE_KEY: "the old `SECRET`, if you replaced it, for the hashes of erased addresses",
  SMTP_URL: "`smtp://` or `smtps://`, with user and password; turns mail on. Requires `SECRET` and `PUBLIC_ORIGIN`",
  MAIL_FROM: "the sender; a `.example` address works only with an SMTP server on loopback or named `mailpit`",
  MAIL_POSTAL_ADDRESS: "at the end of every email; replace the example in `brand/` before you send real email",
  MAIL_PER_MINUTE: "emails per minute, across all workers; a fifth is reserved for confirmations",
  MAIL_WORKER: "`apart` if `npm run worker` sends the mail",
  MAIL_EVENTS:
    "comma-separated `provider=secret` pairs, to receive [bounces and complaints](operations.md#bounces-and-complaints). Requires `MAIL_WORKER=apart`",
  DKIM_DOMAIN: "the domain that signs mail. Requires `DKIM_SELECTOR` and `DKIM_KEY`",
  DKIM_SELECTOR: "the name of the key in the domain's DNS",
  DKIM_KEY: "a private RSA key (PEM)",
  INVITE_URL:
    "your product's sign-up page, for links in [invitations](invitations.md). Requires `INVITE_KEYS`, `SECRET` and `PUBLIC_ORIGIN`",
  INVITE_KEYS: "private Ed25519 keys (PEM), concatenated; the first signs invitations",
  INVITE_DAYS: "lifetime of an invitation's link in days, at most 365",
  CONSOLE_ORIGIN:
    "the origin of the [team's console](operations.md#console-for-a-team), set only for its process. Requires the issuer, client ID and secret below",
  OIDC_ISSUER: "your OpenID Connect provider's issuer; for Entra, your tenant's",
  OIDC_CLIENT_ID: "the client's ID at the provider",
  OIDC_CLIENT_SECRET: "the client's secret, at least 32 characters",
  OIDC_ROLE_CLAIM: "the ID token's claim with the role, instead of `waitlist console roles`. Required for Entra",
  WEBHOOK_HOSTS:
    "comma-separated hosts for [webhooks](webhooks.md), with the port unless it is 443, and the network if it is private: `crm.example.com,crm.internal:8443=10.0.5.0/24`. Requires `SECRET`, except for the console",
  LAUNCH_DATE:
    "the day of your launch, like `2027-03-01`; [`waitlist purge`](operations.md#data-retention) deletes the sign-ups a year later",
  PURGE_UNCONFIRMED_SINCE:
    "the day the page first announced that unconfirmed sign-ups are deleted; `waitlist purge` deletes those who joined since, if unconfirmed 90 days after the last email",
  BACKUP_DAYS:
    "the maximum age of your backups in days, at most 30; `waitlist purge` keeps hashes of erased addresses that long",
  ALLOW_DATA_LOSS:
    "`fsync`, `synchronous_commit` or both: start even if PostgreSQL has them off. Only for databases you can lose",
};

const FROM_BRAND = "default from `brand/`";
const SPECIAL: Partial<Record<Name, string>> = {
  DATABASE_URL: "required",
  MAIL_FROM: FROM_BRAND,
  MAIL_EVENTS: "unset",
  MAIL_POSTAL_ADDRESS: FROM_BRAND,
};

/** The first setting of each section. */
const SECTIONS: Record<string, Name> = {
  Basics: "DATABASE_URL",
  "Proxies and limits": "PUBLIC_ORIGIN",
  "Links and mail": "SECRET",
  Invitations: "INVITE_URL",
  "Team console": "CONSOLE_ORIGIN",
  Webhooks: "WEBHOOK_HOSTS",
  "Data retention": "LAUNCH_DATE",
  Trials: "ALLOW_DATA_LOSS",
};

/** docs/configuration.md: every setting with its declared default. */
export function configurationPage(): string {
  const defaults: Record<string, unknown> = environment.parse({ DATABASE_URL: "postgres://localhost/example" });
  const names = Object.keys(MEANINGS) as Name[];
  const lines = names.flatMap((name) => {
    const heading = Object.keys(SECTIONS).find((section) => SECTIONS[section] === name);
    const value = SPECIAL[name] ?? describeDefault(defaults[name]);
    return [...(heading ? ["", `## ${heading}`, ""] : []), `- **\`${name}\`** (${value}): ${MEANINGS[name]}.`];
  });
  return `${[...INTRODUCTION, ...lines].join("\n")}\n`;
}

function describeDefault(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? "unset" : `default \`${value}\``;
}

const INTRODUCTION = [
  "# Configuration",
  "",
  "These environment variables are read once at startup. If any are invalid, the server lists them and doesn't start. An empty variable is unset. Any variable can come from a file: `SECRET_FILE=/run/secrets/secret` sets `SECRET`.",
  "",
  "Without `DATABASE_URL`, `npm run dev`, `npm run preview` and the tests start a scratch PostgreSQL. `npm run generate -- configuration` writes this page.",
];
