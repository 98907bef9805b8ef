import { brand } from "#brand/brand.ts";
import { type Address, signUpSchema } from "#contract/sign-up.ts";
import type { Kind } from "#core/mail/recipients.ts";
import type { Mail } from "#core/mail/sender.ts";
import { html } from "#core/text/html.ts";
import { hasUrl, safeCompany } from "#core/text/safe-names.ts";
import { confirmationFooter, DEFAULT_CONFIRMATION } from "./confirmation.ts";
import { frame, type MailLinks, noteLink, QUIET, signature } from "./mail-page.ts";
import { markdownToHtml } from "./markdown-html.ts";
import { markdownToText } from "./markdown-text.ts";
import { MEMBER_LINK, memberLinkFooter } from "./member-link.ts";
import { fillIn, type Invalid, InvalidMessage, invalid, type PlaceholderValues } from "./placeholders.ts";
import { DEFAULT_REMINDER, reminderFooter } from "./reminder.ts";

/** A text that operators can write. */
export interface MessageText {
  kind: Exclude<Kind, "link">;
  /** Plain text with placeholders. */
  subject: string;
  /** Markdown with placeholders. */
  body: string;
}

/** Someone who confirmed the address, so no stranger typed these fields, unless the mail asks to confirm. */
export interface Recipient {
  email: Address;
  firstName: string;
  lastName: string;
  company: string | null;
}

type RenderedText = Omit<MessageText, "kind"> & { kind: Kind };

const DEFAULT_TEXTS: Partial<Record<Kind, { subject: string; body: string }>> = {
  confirmation: DEFAULT_CONFIRMATION,
  link: MEMBER_LINK,
  reminder: DEFAULT_REMINDER,
};

/** Until an operator edits it, a built-in message's text is in the code. */
export function textOf({ kind, subject, body }: RenderedText) {
  return (!body && DEFAULT_TEXTS[kind]) || { subject, body };
}

export function renderMessage(message: RenderedText, recipient: Recipient, links: MailLinks): Mail | Invalid {
  const { kind, subject, body } = message;
  const values = placeholderValues(kind, recipient, links);
  const footer = FOOTERS[kind](links);
  try {
    const filledSubject = fillIn(subject, values);
    return {
      to: recipient.email,
      messageId: links.messageId,
      subject: filledSubject,
      text: [markdownToText(body, values), footer.text, signature(links.postalAddress)].join("\n\n"),
      html: frame(filledSubject, [markdownToHtml(body, values), ...footer.html], links.postalAddress),
      headers: { ...AUTOMATIC, ...(kind !== "link" && oneClickHeaders(links.unsubscribe)) },
    };
  } catch (reason) {
    if (reason instanceof InvalidMessage) return invalid(reason.message);
    throw reason;
  }
}

/** Suppresses vacation replies (RFC 3834). */
const AUTOMATIC = { "auto-submitted": "auto-generated" };

/** RFC 8058. Not in link mails, because people get them only on request, and unsubscribing wouldn't stop them. */
const oneClickHeaders = (unsubscribe: string) => ({
  "list-unsubscribe": `<${unsubscribe}>`,
  "list-unsubscribe-post": "List-Unsubscribe=One-Click",
});

const FOOTERS = {
  confirmation: confirmationFooter,
  link: memberLinkFooter,
  reminder: reminderFooter,
  invitation: messageFooter(`You're getting this email because you joined the ${brand.name} waitlist.`),
  announcement: messageFooter(`You're getting this email because you subscribed to ${brand.name} news.`),
};

function messageFooter(why: string) {
  return ({ page, unsubscribe }: MailLinks) => ({
    text: `--\n${why}\nYour page: ${page}\nUnsubscribe: ${unsubscribe}`,
    html: [
      html`<p class="quiet" style="${QUIET};padding-top:16px">${why}<br>${noteLink(page, "Your page")} · ${noteLink(unsubscribe, "Unsubscribe")}</p>`,
    ],
  });
}

const asksToConfirm = (kind: Kind) => kind === "confirmation" || kind === "reminder";

function placeholderValues(kind: Kind, recipient: Recipient, { page, inviteUrl }: MailLinks): PlaceholderValues {
  // A request to confirm contains nothing from the form, because a name could be an advertisement that we'd deliver.
  if (asksToConfirm(kind)) return { confirmUrl: page };
  if (kind === "link") return { pageUrl: page };
  const { firstName, lastName, company, email } = recipient;
  const own = {
    firstName: hasUrl(firstName) ? "there" : firstName,
    lastName: hasUrl(lastName) ? "" : lastName,
    company: safeCompany(company),
    email,
  };
  return kind === "invitation" ? { ...own, inviteUrl } : own;
}

const SAMPLE_EMAIL = signUpSchema.shape.email.parse("ada@example.com");
export const SAMPLE: Recipient = { email: SAMPLE_EMAIL, firstName: "Ada", lastName: "Lovelace", company: "Acme" };

const MAX_SUBJECT_LENGTH = 200;
const MAX_BODY_LENGTH = 20_000;

/** Why the message can't be sent as it is, or undefined. `inviteUrl` is a sample, or undefined if not configured. */
export function checkMessage(message: MessageText, inviteUrl?: string): Invalid | undefined {
  const { subject, body } = message;
  if (!subject.trim()) return invalid("The message needs a subject.");
  if (!body.trim()) return invalid("The message needs a body.");
  if (subject.length > MAX_SUBJECT_LENGTH || /\p{Cc}/u.test(subject)) {
    return invalid(`The subject must be one line of at most ${MAX_SUBJECT_LENGTH} characters.`);
  }
  if (body.length > MAX_BODY_LENGTH) {
    return invalid(`The body must have at most ${MAX_BODY_LENGTH} characters.`);
  }
  const page = "https://example.com/page";
  const rendered = renderMessage(message, SAMPLE, {
    page,
    unsubscribe: "https://example.com/unsubscribe",
    inviteUrl,
    messageId: "<sample@example.com>",
    postalAddress: brand.postalAddress,
  });
  if ("refused" in rendered) return rendered;
  if (`${rendered.subject}${rendered.text}${rendered.html}`.includes("{{")) {
    return invalid("A placeholder isn't closed, or Markdown formatting splits it.");
  }
  if (asksToConfirm(message.kind) && !rendered.html.includes(`href="${page}"`)) {
    return invalid("The text needs its link: [**Confirm**]({{confirmUrl}}).");
  }
  return undefined;
}
