import type { InvitationConfig } from "#core/config/config.ts";
import { InvalidMessage } from "#core/mail/rendering/placeholders.ts";
import type { MessageText } from "#core/mail/rendering/render.ts";
import { inviteUrlWith } from "./invitation-tokens.ts";

/** Fills in {{inviteUrl}}. Throws InvalidMessage if the message uses it and INVITE_URL isn't set. */
export function inviteLinks(invitations: InvitationConfig | undefined, { kind, subject, body }: MessageText) {
  const isNeeded = kind === "invitation" && /\{\{\s*inviteUrl\s*\}\}/.test(`${subject} ${body}`);
  if (isNeeded) requireInvitations(invitations);
  return { inviteUrl: inviteUrlWith(invitations) };
}

export function requireInvitations(invitations: InvitationConfig | undefined): InvitationConfig {
  if (invitations) return invitations;
  throw new InvalidMessage("{{inviteUrl}} needs INVITE_URL and INVITE_KEYS. Set them to the servers' values.");
}
