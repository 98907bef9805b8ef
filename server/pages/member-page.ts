import { brand } from "#brand/brand.ts";
import type { Details } from "#contract/member.ts";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import type { Member } from "#core/members/member.ts";
import { formatLongDate, formatShortDate } from "#core/text/format.ts";
import { html, type Markup } from "#core/text/html.ts";
import { page } from "./layout.ts";
import { textField } from "./text-field.ts";

export interface PageOptions {
  /** Instead of the title: the member's place in line. */
  heading?: Markup | undefined;
  /** Above the details: the link to share, and the team's questions. */
  sections: Markup[];
  areAnswersRefused?: boolean;
  /** For an invited member, if invitations are enabled. */
  inviteUrl?: string | undefined;
  refused?: Refused;
}

/** Invalid details that the member entered. */
type Refused = { values: Details; errors: Partial<Record<keyof Details, string>> } | undefined;

/** URL fragments after a change. Each shows and focuses the notice with that id. */
export type Notice = "confirmed" | "saved" | "news" | "answered";

/** The member's own page. Opening it changes nothing: every change is a button. */
export function memberPage(member: Member, path: string, options: PageOptions): string {
  const { heading, sections, inviteUrl, refused, areAnswersRefused } = options;
  const isInvited = Boolean(inviteUrl || (member.confirmed_at && member.invited_at));
  return page(
    "Your place on the waitlist",
    html`
      ${member.confirmed_at ? notice("confirmed", "Thank you. Your address is confirmed.") : ""}
      ${member.accepted_at ? accepted(member.accepted_at) : isInvited ? invitation(inviteUrl) : ""}
      ${!member.confirmed_at || member.suppressed_at || member.set_aside_at ? confirmation(member, path) : isInvited ? "" : next(member)}
      ${steps(member)}
      ${sections}
      ${member.confirmed_at ? details(member, path, refused) : ""}
      ${newsletter(member, path)}
      <section>
        <h2>Your data</h2>
        <p>See everything we store about you, or keep a copy. The file is JSON, which any text editor can open.</p>
        <p class="choice">${member.confirmed_at ? html`<a href="${path}/data.html">Read my data</a> ` : ""}<a href="${path}/data" download>Download my data</a></p>
      </section>
      ${leave(path)}`,
    refused || areAnswersRefused ? "error" : "normal",
    heading,
  );
}

/** Rendered only if its text is true, and shown only at its URL fragment. */
function notice(id: Notice, text: string): Markup {
  return html`<p id="${id}" class="notice" role="status" tabindex="-1">${text}</p>`;
}

/** Looks like the landing page's success card. A link, because the CSP lets forms post only to our own origin. */
function invitation(url: string | undefined): Markup {
  return html`
    <section class="invitation">
      <svg fill="none" stroke="currentColor" stroke-width="1.5" viewBox="0 0 160 160" width="160" aria-hidden="true"><circle cx="80" cy="80" r="36"/><circle cx="80" cy="80" r="55" opacity=".35"/><circle cx="80" cy="80" r="79" opacity=".15"/><path d="m93 73-18 18-9-9"/></svg>
      <h2>You're invited</h2>
      <p>It's your turn. Thanks for waiting.${url ? " Your invitation works once, so don't share it." : ""}</p>
      ${url ? html`<p><a class="button" href="${url}">Accept invitation</a></p>` : ""}
    </section>`;
}

function accepted(date: Date): Markup {
  return html`
    <section>
      <h2>You're in</h2>
      <p>You used your invitation on ${formatLongDate(date)}.</p>
    </section>`;
}

/** Draws each step as a dot in a ring, in the accent color once the step is reached. */
function steps({ joined_at, confirmed_at, invited_at }: Member): Markup {
  const step = (name: string, date: Date | null) =>
    html`<li ${date ? "data-reached" : ""}><svg fill="none" stroke="currentColor" stroke-width="1.5" viewBox="0 0 28 28" width="28" aria-hidden="true"><circle cx="14" cy="14" r="13"/><circle cx="14" cy="14" r="2" stroke-width="4"/></svg>${name}<span>${date ? formatShortDate(date) : "Not yet"}</span></li>`;
  return html`<ol>${step("Joined", joined_at)}${step("Confirmed", confirmed_at)}${step("Invited", invited_at)}</ol>`;
}

/** Until the address is confirmed, shows nothing else from the form, because anyone could have typed it. */
function confirmation({ email, confirmed_at, set_aside_at }: Member, path: string): Markup {
  const address = html`<strong>${email}</strong>`;
  let reason = html`<h2>Confirm your email address</h2>
        <p>Someone, probably you, joined the ${brand.name} waitlist as ${address}. Confirm that it's yours, and we'll email you when it's your turn.</p>`;
  if (confirmed_at && set_aside_at)
    reason = html`<h2>Confirm your address again</h2>
        <p>Your sign-up looked automated, so we've set it aside. Confirm ${address} again, and you're back on the list.</p>`;
  else if (confirmed_at)
    reason = html`<h2>Our emails to you are bouncing</h2>
        <p>The mail server of ${address} rejected our last email, so we've stopped writing to you. If the address works, confirm it again, and you'll hear from us.</p>`;
  return html`<section>${reason}<form method="post" action="${path}/confirm"><button>Confirm my address</button></form></section>`;
}

function next({ email }: Member): Markup {
  return html`<p>You're on the list. When it's your turn, we'll email your invitation to <strong>${email}</strong>.</p>`;
}

function details({ first_name, last_name, company, email }: Member, path: string, refused: Refused): Markup {
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
      ${notice("saved", "Your changes are saved.")}
      <p>You joined as <strong>${email}</strong>. Check that everything below is right, and correct what isn't. To use another address, leave the waitlist and join again.</p>
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
      ${notice("news", isSubscribed ? "Thank you for subscribing." : "Done. We won't send you product news.")}
      ${state}
      <form method="post" action="${path}/newsletter">
        <input type="hidden" name="wanted" value="${isSubscribed ? "no" : "yes"}">
        <button class="quiet">${isSubscribed ? "Unsubscribe" : "Subscribe"}</button>
      </form>
    </section>`;
}

/** Asks twice: the first button only reveals the one that erases. */
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
