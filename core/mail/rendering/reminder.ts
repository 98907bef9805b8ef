import { brand } from "#brand/brand.ts";
import { html } from "#core/text/html.ts";
import { type MailLinks, note, noteLink, pasteLink } from "./mail-page.ts";

/** Sent unless an operator has written another text. */
export const DEFAULT_REMINDER = {
  subject: "Reminder: confirm your email address",
  body: `# Your place isn't confirmed yet

Someone, probably you, joined the ${brand.name} waitlist with this address. Confirm that it's yours, and we'll email you when it's your turn.

[**Open my page to confirm**]({{confirmUrl}})
`,
};

const WHY = `You're getting this email because this address joined the ${brand.name} waitlist and isn't confirmed. It's the only reminder: unless you confirm, you won't get another email.`;

/** The end of every reminder, which operators can't change. */
export function reminderFooter({ page, unsubscribe }: MailLinks) {
  return {
    text: `${WHY}\n\nUnsubscribe: ${unsubscribe}`,
    html: [note(html`${WHY} ${noteLink(unsubscribe, "Unsubscribe")}`), note(pasteLink(page))],
  };
}
