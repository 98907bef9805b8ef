import { brand } from "#brand/brand.ts";
import type { Mail } from "#core/mail/sender.ts";
import { type AddressedMail, AUTOMATIC, renderMail, signature } from "./mail-page.ts";

const TITLE = `Your ${brand.name} waitlist link`;
const WHY =
  "Here's the link you asked for. Your page shows your place in line. You can update your details there, choose whether you get product news, download your data or leave the list.";
const KEEP = "The link works for 30 days. Anyone who has it can use your page, so don't forward this email.";
const NOT_YOU = "Didn't ask for it? Ignore this email. Nothing has changed.";

/**
 * Sends the member link to someone who has confirmed their address. No List-Unsubscribe header, because people get this
 * mail only on request, and unsubscribing from news wouldn't stop it.
 */
export function memberLinkMail({ to, page, messageId, postalAddress }: Omit<AddressedMail, "unsubscribe">): Mail {
  return {
    to,
    messageId,
    subject: TITLE,
    text: [WHY, page, KEEP, NOT_YOU, signature(postalAddress)].join("\n\n"),
    html: renderMail({
      title: TITLE,
      text: WHY,
      button: { label: "Open my page", url: page },
      notes: [KEEP, NOT_YOU],
      postalAddress,
    }),
    headers: AUTOMATIC,
  };
}
