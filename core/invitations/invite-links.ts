import type { InvitationConfig } from "#core/config/config.ts";
import { withToken } from "#core/links/invitation-tokens.ts";
import { InvalidMessage } from "#core/mail/rendering/placeholders.ts";
import type { MessageText } from "#core/mail/rendering/render.ts";

/** A link that doesn't work. Throws InvalidMessage if the message uses {{inviteUrl}} and INVITE_URL isn't set. */
export function sampleInviteUrl({ kind, subject, body }: MessageText, invitations: InvitationConfig | undefined) {
  const isNeeded = kind === "invitation" && /\{\{\s*inviteUrl\s*\}\}/.test(`${subject} ${body}`);
  if (isNeeded) requireInvitations(invitations);
  return invitations && withToken(invitations.url, "preview");
}

export function requireInvitations(invitations: InvitationConfig | undefined): InvitationConfig {
  if (invitations) return invitations;
  throw new InvalidMessage("{{inviteUrl}} needs INVITE_URL and INVITE_KEYS. Set them to the servers' values.");
}
