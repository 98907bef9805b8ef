import { brand } from "#brand/brand.ts";
import { describeAhead, pluralize } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";
import { contactLink } from "./layout.ts";

export const SCRIPT_PATH = "/api/waitlist/membership.js";

export interface InLine {
  /** How many people are ahead of the member. */
  ahead: number;
  /** How many colleagues have joined through the link and confirmed; "void" if an operator voided them. */
  friends: number | "void";
  /** The link that the member shares. */
  link: string;
}

/** The member's place, the rule, and why a place changes. */
export function line({ ahead, friends, link }: InLine): Markup {
  return html`
    <section>
      <h2>Your place in line</h2>
      <p><strong>${describeAhead(ahead, "you")}</strong></p>
      ${friends === "void" ? voided() : share(friends, link)}
      <p>You move up when someone ahead of you is invited or leaves. You move back when a colleague you brought leaves, or when someone behind you brings colleagues. Sometimes we invite people out of turn, which moves nobody back.</p>
    </section>`;
}

function share(friends: number, link: string): Markup {
  const mail = `mailto:?subject=${encodeURIComponent(`The ${brand.name} waitlist`)}&body=${encodeURIComponent(link)}`;
  const confirmed = friends === 0 ? "Nobody has" : pluralize(friends, "colleague has", "colleagues have");
  return html`
    <p>The line is in the order people joined. Each colleague who joins through your link and confirms moves you up as if you had joined a week earlier, for up to four colleagues.</p>
    <div class="field">
      <label for="friend-link">Your link</label>
      <input id="friend-link" value="${link}" readonly>
    </div>
    <p class="choice"><button class="quiet" type="button" data-copies="friend-link" hidden>Copy link</button> <a href="${mail}">Email it to a colleague</a></p>
    <p>${confirmed} joined through your link and confirmed${friends === 0 ? " yet" : ""}.</p>
    <script type="module" src="${SCRIPT_PATH}"></script>`;
}

function voided(): Markup {
  return html`<p>We don't count people who join through your link anymore, because they didn't look like colleagues to us. If we're wrong, write to ${contactLink()}.</p>`;
}
