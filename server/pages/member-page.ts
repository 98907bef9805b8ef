import { brand } from "#brand/brand.ts";
import type { Details } from "#contract/member.ts";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { formatLongDate } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";
import type { Member } from "#core/members/member.ts";
import { page } from "./layout.ts";
import { textField } from "./text-field.ts";

/** Details that the member entered and that can't be saved. */
interface RefusedDetails {
  values: Details;
  errors: Partial<Record<keyof Details, string>>;
}

export interface PageOptions {
  /** For an invited member, if invitations are enabled. */
  inviteUrl?: string | undefined;
  refused?: RefusedDetails;
}

/** The fragment that the page is opened at after a change. */
export const SAVED = "saved";

/** The member's own page. Opening it changes nothing: every change is a button. */
export function memberPage(member: Member, path: string, { inviteUrl, refused }: PageOptions = {}): string {
  return page(
    "Your place on the waitlist",
    html`
      ${inviteUrl ? invitationSection(inviteUrl) : ""}
      ${member.confirmed_at && member.rejected_at ? rejection(member, path) : ""}
      ${member.confirmed_at ? html`${status(member, inviteUrl)}${details(member, path, refused)}` : confirmation(member, path)}
      ${newsletter(member, path)}
      <section>
        <h2>Your data</h2>
        <p>Get a copy of everything we store about you. It's a JSON file, which any text editor can open.</p>
        <p><a href="${path}/data" download>Download my data</a></p>
      </section>
      ${leave(path)}`,
    refused ? "error" : "normal",
  );
}

/** For invited members. A link, because the page's policy lets forms post only to our own origin. */
function invitationSection(url: string): Markup {
  return html`
      <section>
        <h2>You're invited</h2>
        <p>It's your turn: create your ${brand.name} account. Your invitation works once, so don't share it.</p>
        <p><a class="button" href="${url}">Accept invitation</a></p>
      </section>`;
}

/** Until the address is confirmed, shows nothing else from the form: anyone could have typed it. */
function confirmation({ email }: Member, path: string): Markup {
  return html`
    <section>
      <h2>Confirm your email address</h2>
      <p>Someone, probably you, joined the ${brand.name} waitlist as <strong>${email}</strong>. Confirm that it's yours, and we'll email you when it's your turn.</p>
      ${confirmButton(path)}
    </section>`;
}

function rejection({ email }: Member, path: string): Markup {
  return html`
    <section>
      <h2>Our emails to you come back</h2>
      <p>The mail server of <strong>${email}</strong> rejected our last email, so we've stopped writing to you. If the address works, confirm it again, and you'll hear from us.</p>
      ${confirmButton(path)}
    </section>`;
}

function confirmButton(path: string): Markup {
  return html`<form method="post" action="${path}/confirm"><button>Confirm my address</button></form>`;
}

function status({ email, joined_at, invited_at }: Member, inviteUrl: string | undefined): Markup {
  return html`
    <section>
      <h2>${invited_at && !inviteUrl ? "You're invited" : "You're on the list"}</h2>
      <dl>
        <div><dt>Email</dt><dd>${email} <span class="good">confirmed</span></dd></div>
        <div><dt>Joined</dt><dd>${formatLongDate(joined_at)}</dd></div>
        ${invited_at ? html`<div><dt>Invited</dt><dd>${formatLongDate(invited_at)}</dd></div>` : ""}
      </dl>
    </section>`;
}

function details({ first_name, last_name, company }: Member, path: string, refused?: RefusedDetails): Markup {
  const values = refused?.values ?? { firstName: first_name, lastName: last_name, company: company ?? "" };
  const errors = refused?.errors ?? {};
  const [firstError] = Object.keys(errors);
  const field = (name: keyof Details, label: string, autocomplete: string, isOptional = false) => {
    const state = { value: values[name], error: errors[name], hasFocus: name === firstError };
    return textField({ name, label, autocomplete, isOptional, ...state });
  };
  return html`
    <section>
      <h2>Your details</h2>
      <p id="${SAVED}" class="notice" tabindex="-1">Your changes are saved.</p>
      <p>Check that everything is right, and correct what isn't.</p>
      <form method="post" action="${path}/details" novalidate>
        <div class="fields">
          ${field("firstName", "First name", "given-name")}
          ${field("lastName", "Last name", "family-name")}
        </div>
        ${field("company", "Company", "organization", true)}
        <button class="quiet">Save changes</button>
      </form>
    </section>`;
}

function newsletter({ newsletter: isSubscribed, lastConsent: last }: Member, path: string): Markup {
  const state =
    isSubscribed && last
      ? html`<p>You're subscribed. On ${formatLongDate(last.at)}, you agreed to:</p><blockquote>${last.wording}</blockquote>`
      : html`<p>${last ? `You unsubscribed on ${formatLongDate(last.at)}.` : "You're not subscribed."} By subscribing you agree to:</p>
          <blockquote>${NEWSLETTER_CONSENT.wording}</blockquote>`;
  return html`
    <section>
      <h2>Product news</h2>
      ${state}
      <form method="post" action="${path}/newsletter">
        <input type="hidden" name="wanted" value="${isSubscribed ? "no" : "yes"}">
        <button class="quiet">${isSubscribed ? "Unsubscribe" : "Subscribe"}</button>
      </form>
    </section>`;
}

/** Asks twice: the button that erases is inside what the first one opens. */
function leave(path: string): Markup {
  return html`
    <section>
      <h2>Leave the waitlist</h2>
      <p>We erase your data, and you lose your place. You can join again anytime.</p>
      <details>
        <summary>Leave the waitlist</summary>
        <form method="post" action="${path}/leave">
          <p><strong>Erase everything?</strong> You can't undo this.</p>
          <p class="choice"><button class="danger">Erase everything</button> <a href="${path}">Keep my place</a></p>
        </form>
      </details>
    </section>`;
}

export function erasedPage(): string {
  return page(
    "You've left the waitlist",
    html`<section><p>We've erased your data. If you change your mind, you can <a href="/#waitlist">join again</a> anytime.</p></section>`,
  );
}
