import type { InvitationConfig } from "#core/config.ts";
import type { LinkOptions } from "#core/mail/compose.ts";
import { InvalidMessage } from "#core/mail/placeholders.ts";
import type { MessageText } from "#core/mail/render.ts";
import { inviteUrlWith } from "#core/members/invitations.ts";

/** What fills in {{inviteUrl}}. Throws InvalidMessage if the message has it and the setting is missing. */
export function inviteLinks(
  invitations: InvitationConfig | undefined,
  { kind, subject, body }: MessageText,
): Pick<LinkOptions, "inviteUrl"> {
  const isNeeded = kind === "invitation" && /\{\{\s*inviteUrl\s*\}\}/.test(`${subject} ${body}`);
  if (isNeeded && !invitations) throw new InvalidMessage("{{inviteUrl}} needs INVITE_URL and INVITE_KEYS.");
  return { inviteUrl: inviteUrlWith(invitations) };
}
