import { brand } from "#brand/brand.ts";
import { MAX_FRIENDS } from "#core/members/friends.ts";
import { describeAhead, pluralize } from "#core/text/format.ts";
import { html, type Markup } from "#core/text/html.ts";
import { contactLink } from "./layout.ts";

export const SCRIPT_PATH = "/api/waitlist/membership.js";

interface InLine {
  /** How many people are ahead of the member, if they could be counted in time. */
  ahead: number | null | undefined;
  /** How many colleagues who joined through the link and confirmed count; "void" if an operator voided them. */
  friends: number | "void";
  /** The link that the member shares. */
  link: string;
}

/** The member's place, the rule, and why a place changes. */
export function line({ ahead, friends, link }: InLine): Markup {
  return html`
    <section>
      <h2>${typeof ahead === "number" ? describeAhead(ahead, "you") : "Your place in line"}</h2>
      ${friends === "void" ? voided : share(friends, link)}
      <p>You move up when someone ahead of you is invited or leaves. You move back when a colleague you brought leaves, or when someone behind you brings colleagues. Sometimes we invite people out of turn, which moves nobody back.</p>
    </section>`;
}

function share(friends: number, link: string): Markup {
  const mail = `mailto:?subject=${encodeURIComponent(`The ${brand.name} waitlist`)}&body=${encodeURIComponent(link)}`;
  const counted = friends === 0 ? "Nobody has" : pluralize(friends, "colleague has", "colleagues have");
  const people = friends === MAX_FRIENDS ? "Four or more colleagues have" : counted;
  return html`
    <p>People are in line in the order they joined. Each colleague who joins through your link and confirms moves you up as if you had joined a week earlier, at most four weeks in total. We count them at midnight UTC.</p>
    <div class="field">
      <label for="friend-link">Your link</label>
      <input id="friend-link" value="${link}" readonly>
    </div>
    <p class="choice"><button class="quiet" type="button" data-copies="friend-link" hidden>Copy link</button> <a href="${mail}">Email it to a colleague</a></p>
    <p>${people} joined through your link and confirmed${friends === 0 ? " yet" : ""}.</p>
    <script type="module" src="${SCRIPT_PATH}"></script>`;
}

const voided = html`<p>We don't count people who join through your link anymore, because they didn't look like colleagues to us. If we're wrong, write to ${contactLink}.</p>`;
