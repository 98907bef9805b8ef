import type { Keys } from "#core/keys.ts";
import { type Holder, memberLink } from "#core/members/links.ts";
import { confirmationMail } from "./confirmation.ts";
import type { ClaimedDelivery } from "./deliveries.ts";
import { messageIdHeader } from "./message-id.ts";
import { renderMessage } from "./render.ts";
import type { Mail } from "./sender.ts";

/** What the links in mails are made of. */
export interface LinkOptions {
  keys: Keys;
  origin: string;
  /** The URL at which a person accepts an invitation. Without it, {{inviteUrl}} is unknown. */
  inviteUrl?: ((person: Holder) => string) | undefined;
}

/** The mail of one delivery. */
export function composeMail(claimed: ClaimedDelivery, { keys, origin, inviteUrl }: LinkOptions): Mail {
  const holder = { id: claimed.signUpId, email_key: claimed.email_key };
  const page = memberLink(keys, holder, origin);
  const messageId = messageIdHeader(keys, claimed, origin);
  if (claimed.kind === "confirmation") return confirmationMail({ to: claimed.email, page, messageId });
  return renderMessage({ ...claimed, kind: claimed.kind }, claimed, {
    page,
    messageId,
    inviteUrl: claimed.kind === "invitation" ? inviteUrl?.(holder) : undefined,
  });
}
