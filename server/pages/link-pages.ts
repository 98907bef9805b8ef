import { brand } from "#brand/brand.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { html, type Markup } from "#core/text/html.ts";
import { contactLink, page } from "./layout.ts";
import { type TextField, textField } from "./text-field.ts";

type Address = Pick<TextField, "value" | "error">;

const cardPage = (title: string, content: Markup, state?: "normal" | "error") =>
  page(title, html`<section>${content}</section>`, state);

/** For people who have lost their link. Without mail, they have to write to us. */
export function linkRequestPage(mail: MailOn | undefined, refused?: Address): string {
  return cardPage(
    "Get your link",
    html`
      <p>Your link opens your page on the waitlist, where you can see, correct or erase your data.</p>
      ${mail ? requestForm(refused) : contact}`,
    refused && "error",
  );
}

/** The same for every address, so that it doesn't reveal who is on the list, and true even if nothing is sent. */
export const linkSentPage = cardPage(
  "Check your inbox",
  html`
    <p>If this address is on the list and can get another email right now, its link is on the way. It can take a few minutes to arrive.</p>
    <p>Nothing new, not even in your spam folder? We limit how often we email an address. Use the link in our last email, or <a href="${MEMBERSHIP_PATH}">ask again</a> in five minutes, in an hour or tomorrow. If that doesn't help, write to ${contactLink}.</p>`,
);

export const erasedPage = cardPage(
  "You've left the waitlist",
  html`<p>We've erased your data. If you change your mind, you can <a href="/#waitlist">join again</a> anytime.</p>`,
);

export function invalidLinkPage(mail: MailOn | undefined): string {
  return cardPage(
    "This link doesn't work anymore",
    html`
      <p>It may have expired or be incomplete, or its owner has left the list.</p>
      ${mail ? html`<p>Still on the list? We'll email you a new link.</p>${requestForm()}` : contact}`,
  );
}

function requestForm(address: Address = { value: "" }): Markup {
  const email = { name: "email", label: "Email", type: "email", autocomplete: "email" } as const;
  return html`
    <form method="post" action="${MEMBERSHIP_PATH}" novalidate>
      ${textField({ ...email, ...address, hasFocus: address.error !== undefined })}
      <button>Email me my link</button>
    </form>`;
}

const contact = html`<p>Write to ${contactLink} from the address you signed up with, and we'll help.</p>`;

/** Renders problems that people can run into; returns undefined for those that only a program causes. */
export function problemPage(status: number): string | undefined {
  if (status === 429)
    return cardPage(
      "Too many requests",
      html`<p>Wait a few minutes, then try again. You can still unsubscribe or leave the list.</p>`,
    );
  if (status >= 500)
    return cardPage(
      "Something went wrong",
      html`<p>It's on our side. Try again in a minute. If it keeps happening, write to ${contactLink}.</p>`,
    );
  return undefined;
}

/** Shows nothing about the person, because mail providers have the link too. */
export const unsubscribePage = (path: string) =>
  cardPage(
    "Unsubscribe",
    html`
      <p>We'll stop sending you product news from ${brand.name} and won't ask again to confirm your address. You keep your place on the waitlist.</p>
      <form method="post" action="${path}"><button>Unsubscribe</button></form>`,
  );

export const unsubscribedPage = cardPage(
  "You're unsubscribed",
  html`
    <p>We won't send you product news or ask again to confirm your address. You keep your place on the waitlist.</p>
    <p>To subscribe again, change your details or leave the list, open your page with the link in one of our emails.</p>
    <p>Lost it? If you've confirmed your address, <a href="${MEMBERSHIP_PATH}">get your link</a> again. Otherwise, write to ${contactLink}.</p>`,
);
