import * as z from "zod/mini";
import { brand } from "#brand/brand.ts";
import { RETENTION } from "#brand/legal.ts";
import { DURABILITY_SETTINGS } from "#core/database/durability.ts";
import { hasClearSslMode, isOrigin, isRsaKey } from "./setting-rules.ts";
import * as setting from "./setting-schemas.ts";
import { teamSettings } from "./team-settings.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Every setting: its rule, and its default. */
export const environment = z.object({
  DATABASE_URL: setting
    .url("postgres://", /^postgres(ql)?$/)
    .check(z.refine(hasClearSslMode, "must have sslmode=verify-full, and sslrootcert=<file> for a private CA")),
  REDIS_URL: z.optional(setting.url("redis://", /^rediss?$/)),
  HOST: z._default(z.string(), "127.0.0.1"),
  PORT: z._default(setting.port, 3000),
  PRIVATE_HOST: z._default(z.string(), "127.0.0.1"),
  PRIVATE_PORT: z.optional(setting.port),
  DRAIN_MS: z._default(setting.integer("a number of milliseconds from 0 to 8000", 0, 8000), 2000),
  LOG_LEVEL: z._default(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`), "info"),
  PUBLIC_ORIGIN: z.optional(z.string().check(z.refine(isOrigin, "must be an origin, like https://example.com"))),
  TRUST_PROXY: setting.list(setting.network),
  HSTS_PRELOAD: z._default(z.enum(["yes", "no"], "must be yes or no"), "no"),
  KEPT_ASSETS: z.optional(z.string()),
  LIMIT_PER_CLIENT: z._default(setting.atLeastOne, 60),
  LIMIT_PER_ADDRESS: z._default(setting.atLeastOne, 10),
  SECRET: z.optional(setting.secret),
  LINK_KEYS: setting.linkKeys,
  ERASURE_KEY: z.optional(setting.secret),
  SMTP_URL: z.optional(setting.url("smtp:// or smtps://", /^smtps?$/)),
  MAIL_FROM: z._default(z.string(), `${brand.name} <${brand.mail}>`),
  MAIL_POSTAL_ADDRESS: z._default(z.string(), brand.postalAddress),
  MAIL_PER_MINUTE: z._default(setting.atLeastOne, 600),
  MAIL_WORKER: z._default(z.enum(["inside", "apart"], "must be inside or apart"), "inside"),
  MAIL_EVENTS: setting.mailEvents,
  DKIM_DOMAIN: z.optional(z.string()),
  DKIM_SELECTOR: z.optional(z.string()),
  DKIM_KEY: z.optional(z.string().check(z.refine(isRsaKey, "must be a private RSA key, as PEM"))),
  INVITE_URL: z.optional(setting.inviteUrl),
  INVITE_KEYS: setting.inviteKeys,
  INVITE_DAYS: z._default(setting.integer("a number of days from 1 to 365", 1, 365), 30),
  ...teamSettings,
  WEBHOOK_HOSTS: setting.list(setting.webhookHost),
  LAUNCH_DATE: z.optional(setting.date),
  PURGE_UNCONFIRMED_SINCE: z.optional(setting.date),
  BACKUP_DAYS: z.optional(
    setting.integer(`from 1 to ${RETENTION.backups}, as the privacy text promises`, 1, RETENTION.backups),
  ),
  ALLOW_DATA_LOSS: setting.list(z.enum(DURABILITY_SETTINGS, `must be ${DURABILITY_SETTINGS.join(" or ")}`)),
});

export type Environment = z.infer<typeof environment>;
