import { brand } from "#brand/brand.ts";
import { html } from "#core/html.ts";
import type { Mail } from "#core/mail/sender.ts";
import { type AddressedMail, mailHeaders, noteLink, renderMail, signature } from "./mail-page.ts";

const TITLE = "Confirm your email address";
const WHY = `Someone, probably you, joined the ${brand.name} waitlist with this address. Confirm that it's yours, and we'll email you when it's your turn.`;
const THERE =
  "There you also see your place in line, update your details, download your data or leave the list. The link works for 30 days.";
const NOT_YOU = "Not you? Ignore this email, and you won't get any product news.";

/**
 * Asks the recipient to confirm the address. Contains nothing that was typed into the form, because a name could be an
 * advertisement that we would deliver.
 */
export function confirmationMail({ to, page, unsubscribe, messageId, postalAddress }: AddressedMail): Mail {
  return {
    to,
    messageId,
    subject: TITLE,
    text: [
      WHY,
      `Open your page to confirm:\n\n${page}`,
      THERE,
      `${NOT_YOU} To make sure we don't ask again, unsubscribe:\n\n${unsubscribe}`,
      signature(postalAddress),
    ].join("\n\n"),
    html: renderMail({
      title: TITLE,
      text: WHY,
      button: { label: "Open my page to confirm", url: page },
      notes: [THERE, html`${NOT_YOU} To make sure we don't ask again, ${noteLink(unsubscribe, "unsubscribe")}.`],
      postalAddress,
    }),
    headers: mailHeaders(unsubscribe),
  };
}
