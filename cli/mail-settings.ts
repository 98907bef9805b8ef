import { type MailConfig, readConfig } from "#core/config.ts";
import type { LinkOptions } from "#core/mail/compose.ts";
import { inviteLinks } from "#core/mail/invite-links.ts";
import type { MessageText } from "#core/mail/render.ts";
import { UsageError } from "./command.ts";
import { readLinkSettings } from "./keys.ts";

export function readMailSettings(): MailConfig {
  const { mail } = readConfig();
  if (mail) return mail;
  throw new UsageError(
    "Mail is off here. Set SMTP_URL, MAIL_FROM, SECRET and PUBLIC_ORIGIN to the servers' values, and DKIM_KEY, DKIM_DOMAIN and DKIM_SELECTOR if they sign mail.",
  );
}

/** For a message that may contain {{inviteUrl}}. */
export function readInviteLinks(message: MessageText): Pick<LinkOptions, "inviteUrl"> {
  return inviteLinks(readConfig().invitations, message);
}

/** What the links in a message are made of. */
export function readMessageLinks(message: MessageText): LinkOptions {
  return { ...readLinkSettings(), ...readInviteLinks(message) };
}
