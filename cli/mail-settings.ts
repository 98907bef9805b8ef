import { type Config, type MailConfig, readConfig } from "#core/config.ts";
import type { LinkOptions } from "#core/mail/compose.ts";
import type { MessageText } from "#core/mail/render.ts";
import { inviteUrlWith } from "#core/members/invitations.ts";
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
export function readInviteUrl({ kind, subject, body }: MessageText): LinkOptions["inviteUrl"] {
  const { invitations } = readConfig();
  const isNeeded = kind === "invitation" && /\{\{\s*inviteUrl\s*\}\}/.test(`${subject} ${body}`);
  if (isNeeded) requireInvitations(invitations);
  return inviteUrlWith(invitations);
}

export function requireInvitations(invitations: Config["invitations"]) {
  if (invitations) return invitations;
  throw new UsageError("{{inviteUrl}} needs INVITE_URL and INVITE_KEYS. Set them to the servers' values.");
}

/** What the links in a message are made of. */
export function readMessageLinks(message: MessageText): LinkOptions {
  return { ...readLinkSettings(), inviteUrl: readInviteUrl(message) };
}
