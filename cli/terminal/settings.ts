import { type MailConfig, readConfig } from "#core/config/config.ts";
import type { Keys } from "#core/config/keys.ts";
import { UsageError } from "./command.ts";

/** Must be the servers' keys, because hashes made with other keys would never match an erased address. */
export function readKeys(): Keys {
  const { keys } = readConfig();
  if (!keys) throw new UsageError("Set SECRET, and ERASURE_KEY if the servers have one, to the servers' values.");
  return keys;
}

/** The settings for links to member pages. Links signed with keys other than the servers' wouldn't work. */
export function readLinkSettings(): { keys: Keys; origin: string } {
  const { keys, PUBLIC_ORIGIN } = readConfig();
  if (keys && PUBLIC_ORIGIN) return { keys, origin: PUBLIC_ORIGIN };
  throw new UsageError(
    "Links need SECRET and PUBLIC_ORIGIN, and LINK_KEYS if the servers have it: set them to the servers' values.",
  );
}

/** For DNS checks. */
export function readMailSettings(): MailConfig {
  const { mail } = readConfig();
  if (mail) return mail;
  throw new UsageError(
    "This needs mail settings. Set SMTP_URL, MAIL_FROM, SECRET and PUBLIC_ORIGIN to the servers' values, and DKIM_KEY, DKIM_DOMAIN and DKIM_SELECTOR if they sign mail.",
  );
}
