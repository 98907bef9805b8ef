import { brand } from "#brand/brand.ts";
import { markSvg } from "#brand/mark.ts";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { formatLongDate } from "#core/format.ts";
import { html, Markup } from "#core/html.ts";
import type { Member } from "#core/members/store.ts";
import { invitationSection } from "./invitation.ts";

/** The member's own page. Opening it changes nothing: every change is a button. */
export function memberPage(member: Member, path: string, inviteUrl?: string): string {
  return page(
    "Your place on the waitlist",
    html`
      ${inviteUrl ? invitationSection(inviteUrl) : ""}${member.confirmed_at ? confirmed(member) : unconfirmed(member, path)}
      ${newsletter(member, path)}
      <section>
        <h2>What we hold about you</h2>
        <p>Everything, as a file: <a href="${path}/data" download>download it</a>. It is JSON, which any text editor opens.</p>
      </section>
      <section>
        <h2>Leave</h2>
        <p>We erase everything about you, at once and for good. You can join again whenever you like.</p>
        <form method="post" action="${path}/leave"><button class="quiet">Leave and erase my data</button></form>
      </section>`,
  );
}

/** Until the address is confirmed, shows nothing else from the form: anyone could have typed it. */
function unconfirmed({ email }: Member, path: string): Markup {
  return html`
    <section>
      <h2>Is this your address?</h2>
      <p>Someone, probably you, put <strong>${email}</strong> on ${brand.name}'s waitlist. Confirm that it is yours, so that we can write to you when it is your turn.</p>
      <form method="post" action="${path}/confirm"><button>Confirm my address</button></form>
    </section>`;
}

function confirmed({ email, first_name, last_name, company, joined_at, invited_at }: Member): Markup {
  return html`
    <section>
      <h2>You are on the list</h2>
      <dl>
        <div><dt>Name</dt><dd>${first_name} ${last_name}</dd></div>
        <div><dt>Address</dt><dd>${email} <span class="good">confirmed</span></dd></div>
        ${company ? html`<div><dt>Company</dt><dd>${company}</dd></div>` : ""}
        <div><dt>Joined</dt><dd>${formatLongDate(joined_at)}</dd></div>
        ${invited_at ? html`<div><dt>Invited</dt><dd>${formatLongDate(invited_at)}</dd></div>` : ""}
      </dl>
    </section>`;
}

function newsletter({ newsletter: isSubscribed, lastConsent: last }: Member, path: string): Markup {
  const state =
    isSubscribed && last
      ? html`<p>On ${formatLongDate(last.at)} you agreed to:</p><blockquote>${last.wording}</blockquote>`
      : html`<p>We send you none.${last ? html` You stopped it on ${formatLongDate(last.at)}.` : ""} With the button you agree to:</p>
          <blockquote>${NEWSLETTER_CONSENT.wording}</blockquote>`;
  return html`
    <section>
      <h2>Product news</h2>
      ${state}
      <form method="post" action="${path}/newsletter">
        <input type="hidden" name="wanted" value="${isSubscribed ? "no" : "yes"}">
        <button class="quiet">${isSubscribed ? "Stop sending me news" : "Send me news"}</button>
      </form>
    </section>`;
}

export function erasedPage(): string {
  return page(
    "You have left",
    html`<section><p>Everything about you is erased. Thank you for your interest; <a href="/">the page</a> is where it was.</p></section>`,
  );
}

export function invalidLinkPage(): string {
  return page(
    "This link doesn't work any more",
    html`<section><p>It may be too old, or incomplete, or its owner has left the list. While your address isn't confirmed, <a href="/#waitlist">sign up again</a> and we send you a new one; else write to <a href="mailto:${brand.mail}">${brand.mail}</a>.</p></section>`,
  );
}

export function tooManyRequestsPage(): string {
  return page(
    "Too many requests",
    html`<section><p>Wait a few minutes, then try again. You can unsubscribe or leave at any time.</p></section>`,
  );
}

function page(title: string, content: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${title} | ${brand.name}</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
  <header>
    <a href="/">${new Markup(markSvg())}${brand.name}</a>
  </header>
  <main>
    <h1>${title}</h1>
    ${content}
  </main>
</body>
</html>
`.text;
}

export const STYLE_PATH = "/api/waitlist/membership.css";
