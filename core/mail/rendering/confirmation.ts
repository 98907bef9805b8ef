import { brand } from "#brand/brand.ts";
import { html } from "#core/text/html.ts";
import { type MailLinks, note, noteLink, pasteLink } from "./mail-page.ts";

const SUBJECT = "Confirm your email address";

/** Sent unless an operator has written another text. */
export const DEFAULT_CONFIRMATION = {
  subject: SUBJECT,
  body: `# ${SUBJECT}

Someone, probably you, joined the ${brand.name} waitlist with this address. Confirm that it's yours, and we'll email you when it's your turn.

[**Open my page to confirm**]({{confirmUrl}})

Your page also shows your place in line. You can update your details there, download your data or leave the list. The link works for 30 days.
`,
};

const NOT_YOU =
  "Not you? Ignore this email, and you won't get any product news. To make sure we don't ask again, unsubscribe";

/** The end of every confirmation, which operators can't change. */
export function confirmationFooter({ page, unsubscribe }: MailLinks) {
  const [beforeLink = ""] = NOT_YOU.split("unsubscribe");
  return {
    text: `${NOT_YOU}:\n\n${unsubscribe}`,
    html: [note(html`${beforeLink}${noteLink(unsubscribe, "unsubscribe")}.`), note(pasteLink(page))],
  };
}
