import { randomUUID } from "node:crypto";
import type { Address } from "#contract/sign-up.ts";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { sampleInviteUrl } from "#core/links/invitation-tokens.ts";
import { memberLink, unsubscribeLink } from "#core/links/links.ts";
import type { LinkOptions } from "#core/mail/queue/compose.ts";
import { checkMessage, type MessageText, renderMessage, SAMPLE } from "#core/mail/rendering/render.ts";
import type { SenderOptions } from "#core/mail/sender.ts";

/** The mail as a person would get it, with links that don't work. */
export function renderPreview(
  message: MessageText,
  { keys, origin, postalAddress, invitations }: LinkOptions,
  email = SAMPLE.email,
) {
  const person = { ...SAMPLE, email };
  const sample = { id: "0", email_key: email };
  return renderMessage(message, person, {
    page: memberLink(keys, sample, origin),
    unsubscribe: unsubscribeLink(keys, sample, origin),
    messageId: `<${randomUUID()}@${new URL(origin).hostname}>`,
    postalAddress,
    inviteUrl: sampleInviteUrl(invitations),
  });
}

const DARK_MODE = "(prefers-color-scheme: dark)";

/** The mail's HTML as it looks in one color scheme, regardless of the browser's. */
export function inColorScheme(html: string, scheme: "light" | "dark"): string {
  return (
    html
      // Text is escaped, so the first style element is the frame's.
      .replace(/<style>[^<]*<\/style>/, (style) => style.replace(DARK_MODE, scheme === "dark" ? "all" : "not all"))
      .replace(/(name="color-scheme" content=")light dark"/, `$1${scheme}"`)
  );
}

/** A message that isn't stored has no id. */
export interface TestedMessage extends MessageText {
  id?: string | undefined;
}

/** Sends the preview to an operator's own address. It isn't a delivery, and doesn't count toward the rate limit. */
export async function sendTest(
  db: Database,
  actor: Actor,
  message: TestedMessage,
  address: Address,
  options: LinkOptions & SenderOptions,
) {
  const problem = checkMessage(message, sampleInviteUrl(options.invitations));
  const mail = problem ?? renderPreview(message, options, address);
  if ("refused" in mail) return mail;
  // Imported here, because the team's console sends no tests, and starts faster without nodemailer.
  const { MailServerFailure, openSender } = await import("#core/mail/sender.ts");
  const sender = openSender(options);
  try {
    const outcome = await sender.send({ ...mail, subject: `[Test] ${mail.subject}` });
    if (outcome === "sent") await recordActivity(db, actor, { action: "test message", message: message.id });
    return { outcome };
  } catch (reason) {
    if (!(reason instanceof MailServerFailure)) throw reason;
    return { outcome: "failed" as const };
  } finally {
    sender.close();
  }
}
