import type { InvitationConfig, MailConfig } from "#core/config/config.ts";
import { hmac, type Keys } from "#core/config/keys.ts";
import { inviteUrl } from "#core/links/invitation-tokens.ts";
import { memberLink, unsubscribeLink } from "#core/links/links.ts";
import { renderMessage, textOf } from "#core/mail/rendering/render.ts";
import type { ClaimedDelivery } from "./deliveries.ts";

export interface LinkOptions extends Pick<MailConfig, "keys" | "origin" | "postalAddress"> {
  /** If undefined, a message with {{inviteUrl}} is invalid. */
  invitations?: InvitationConfig | undefined;
}

export async function composeMail(claimed: ClaimedDelivery, options: LinkOptions) {
  const { keys, origin, postalAddress, invitations } = options;
  const { kind, waveId } = claimed;
  const person = { id: claimed.signUpId, email_key: claimed.email_key };
  const mail = renderMessage({ kind, ...textOf(claimed) }, claimed, {
    page: memberLink(keys, person, origin),
    unsubscribe: unsubscribeLink(keys, person, origin),
    messageId: messageIdHeader(keys, claimed, origin),
    postalAddress,
    inviteUrl:
      kind === "invitation" && waveId && invitations ? await inviteUrl(invitations, person, waveId) : undefined,
  });
  if ("refused" in mail) return mail;
  // Gmail's Postmaster Tools report complaints per message by this header. Its last field has at most 15 characters.
  const sender = new URL(origin).hostname.replaceAll(/\W/g, "").slice(0, 15);
  return { ...mail, headers: { ...mail.headers, "feedback-id": `${claimed.messageId}:${kind}:${sender}` } };
}

/** The same on every attempt to send a copy, so that mail clients recognize a duplicate. */
function messageIdHeader({ messageIds }: Keys, { messageId, signUpId, copy }: ClaimedDelivery, origin: string): string {
  const name = hmac(messageIds, "mail", `${messageId} ${signUpId} ${copy}`).toString("hex").slice(0, 32);
  return `<${name}@${new URL(origin).hostname}>`;
}
