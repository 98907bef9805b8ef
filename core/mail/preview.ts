import { randomUUID } from "node:crypto";
import { memberLink, unsubscribeLink } from "#core/members/links.ts";
import type { LinkOptions } from "./compose.ts";
import { type MessageText, type Recipient, renderMessage, sampleRecipient } from "./render.ts";
import type { Mail, Sender } from "./sender.ts";

/** The mail as a person would get it. Its links lead nowhere. */
export async function renderPreview(
  message: MessageText,
  { keys, origin, inviteUrl }: LinkOptions,
  person: Recipient = sampleRecipient(),
): Promise<Mail> {
  const holder = { id: "0", email_key: person.email };
  return renderMessage(message, person, {
    page: memberLink(keys, holder, origin),
    unsubscribe: unsubscribeLink(keys, holder, origin),
    messageId: `<${randomUUID()}@${new URL(origin).hostname}>`,
    inviteUrl:
      message.kind === "invitation" ? await inviteUrl?.(holder, { id: "0", invitedAt: new Date() }) : undefined,
  });
}

const DARK_MODE = "(prefers-color-scheme: dark)";

/** The mail's HTML as it looks in one color scheme, whatever the browser's is. */
export function inColorScheme(html: string, scheme: "light" | "dark"): string {
  return (
    html
      // Text is escaped, so the first style element is the frame's.
      .replace(/<style>[^<]*<\/style>/, (style) => style.replace(DARK_MODE, scheme === "dark" ? "all" : "not all"))
      .replace(/(name="color-scheme" content=")light dark"/, `$1${scheme}"`)
  );
}

/** Sends the preview to an operator's own address. It is no delivery, and takes nothing from the rate limit. */
export async function sendTest(sender: Sender, message: MessageText, address: string, links: LinkOptions) {
  const mail = await renderPreview(message, links, sampleRecipient(address));
  return sender.send({ ...mail, subject: `[Test] ${mail.subject}` });
}
