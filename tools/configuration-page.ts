import { environment } from "#core/config/environment.ts";

type Name = keyof typeof environment.shape;

/** What each setting does. The type requires every setting once. */
const MEANINGS: Record<Name, string> = {
  DATABASE_URL: "`postgres://user:password@host/database`, PostgreSQL 15 or newer",
  HOST: "address to listen on",
  PORT: "port to listen on; 0 picks a free one",
  PRIVATE_PORT: "port where each service serves `/live`, `/ready` and `/metrics` (Prometheus)",
  PRIVATE_HOST: "address for the private port",
  DRAIN_MS:
    "milliseconds to keep listening after SIGTERM while `/ready` returns 503, at most 8000; only with `PRIVATE_PORT`. Set it to 0 behind nginx; raise it if your balancer checks `/ready` less than once a second",
  LOG_LEVEL: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; `warn` leaves out starts and stops",
  PUBLIC_ORIGIN:
    "the page's public origin, such as `https://example.com`. Needed for links in emails, or if a proxy changes the Host header",
  TRUST_PROXY: "comma-separated addresses or CIDRs of the proxies whose `X-Forwarded-For` is trusted",
  HSTS_PRELOAD:
    "`yes` adds `includeSubDomains; preload` to `Strict-Transport-Security`, which otherwise covers this host alone. Every subdomain must then serve HTTPS, and leaving browsers' preload list takes months",
  KEPT_ASSETS:
    "a writable, persistent folder for the assets of the last ten builds, which pages opened before a deploy still need",
  LIMIT_PER_CLIENT:
    "sign-ups per minute from one client; networks get a multiple ([rate limiting](architecture.md#rate-limiting)). Raise it for an event where hundreds share one address",
  LIMIT_PER_ADDRESS: "sign-ups per hour with one email address that is on the list",
  REDIS_URL: "`redis://host`, for rate limits shared by several instances",
  SECRET:
    "at least 32 characters, the same on every instance; required with `REDIS_URL`, `SMTP_URL` and `LINK_KEYS`. It signs member links, and is the key for hashes of erased addresses, Message-IDs and rate limit buckets. Without it, there are no member pages",
  LINK_KEYS:
    "comma-separated `id:secret` pairs, newest first, each secret at least 32 characters. The first signs member links, and all verify them; `0` stands for `SECRET` ([rotating keys](operations.md#rotating-keys))",
  ERASURE_KEY: "the secret that hashed erased addresses, if `SECRET` has been replaced since; at least 32 characters",
  SMTP_URL:
    "`smtp://` or `smtps://`, with user and password; people who join then get an email to confirm their address. Requires `SECRET` and `PUBLIC_ORIGIN`",
  MAIL_FROM: "the sender; a `.example` address is refused unless the SMTP server is on loopback or named `mailpit`",
  MAIL_POSTAL_ADDRESS: "at the end of every email; the example in `brand/` is refused likewise",
  MAIL_PER_MINUTE: "emails per minute, across all workers; a fifth is kept for confirmations",
  MAIL_WORKER: "`apart` if `npm run worker` sends the mail instead of the server",
  MAIL_EVENTS:
    "comma-separated `provider=secret` pairs of the mail providers that [report](operations.md#bounces-and-complaints) bounces and complaints. Requires `MAIL_WORKER=apart`",
  DKIM_DOMAIN: "the domain that signs mail; requires the next two",
  DKIM_SELECTOR: "the name of the key in the domain's DNS",
  DKIM_KEY: "a private RSA key (PEM)",
  INVITE_URL:
    "the product's sign-up page, https; invited people get a link to it that the product can verify ([invitations](invitations.md)). Requires `INVITE_KEYS`, `SECRET` and `PUBLIC_ORIGIN`",
  INVITE_KEYS:
    "private Ed25519 keys (PEM), concatenated; the first signs invitations, and all public keys are published",
  INVITE_DAYS: "days that an invitation's link works, at most 365",
  CONSOLE_ORIGIN:
    "the origin of the [team's console](operations.md#console-for-a-team), such as `https://console.example.com`, set only for its process. Requires the next three",
  OIDC_ISSUER: "your OpenID Connect provider's issuer, https; for Microsoft Entra, your own tenant's",
  OIDC_CLIENT_ID: "the console's client id at the provider",
  OIDC_CLIENT_SECRET: "its client secret, at least 32 characters",
  OIDC_ROLE_CLAIM:
    "the ID token's claim that has `viewer`, `editor` or `admin`; without it, `waitlist console roles` decides. Required for Entra",
  HOOK_HOSTS:
    "comma-separated hosts that [webhooks](webhooks.md) may be sent to, with the port unless it is 443: `crm.example.com,app.example.com:8443`. A host in a private network also needs that network: `crm.internal:8443=10.0.5.0/24`. Requires `SECRET`, except for the console",
  LAUNCH_DATE:
    "the day the product launches, like `2027-03-01`; a year later, [`waitlist purge`](operations.md#data-retention) deletes the sign-ups",
  PURGE_UNCONFIRMED_SINCE:
    "the day the page first announced that unconfirmed sign-ups are deleted; `waitlist purge` deletes people who joined since then and didn't confirm within 90 days of a mail",
  BACKUP_DAYS:
    "the maximum age of backups in days, at most 30; after that many days, `waitlist purge` and `waitlist erasures save` forget an erased address",
  ALLOW_DATA_LOSS:
    "`fsync`, `synchronous_commit` or both: the server starts even if PostgreSQL has them off. Only for databases you can lose",
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
  Webhooks: "HOOK_HOSTS",
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
  "These environment variables are read once at startup. If any are invalid, the server lists them and doesn't start. An empty variable counts as unset. Any variable can come from a file: `SECRET_FILE=/run/secrets/secret` sets `SECRET`.",
  "",
  "`npm run dev`, `npm run preview` and the tests use `DATABASE_URL` if it is set, and start a scratch PostgreSQL otherwise. `npm run generate -- configuration` writes this page.",
];
