import { brand } from "#brand/brand.ts";
import { MAX_FRIENDS } from "#core/members/friends.ts";
import type { Place } from "#core/members/line.ts";
import { describeAhead } from "#core/members/line-text.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";
import { html, type Markup } from "#core/text/html.ts";
import { contactLink } from "./layout.ts";

export const SCRIPT_PATH = "/api/waitlist/membership.js";

/** How many friends count (joined through the link and confirmed); "void" if an operator voided them. */
type Friends = number | "void";

/** The page's heading: the member's place, on the horizon, and how friends change it. */
export function placeHeading({ ahead, perFriend, passed }: Place, friends: Friends, gained: number): Markup {
  const [, before = "", count = "", after = ""] = /^(\D*)([\d,]*)(.*)$/.exec(describeAhead(ahead, "you")) ?? [];
  const news = `${gained === 1 ? "A friend" : pluralize(gained, "friend")} joined`;
  const moved = roundPlaces(passed);
  const offer = friends !== "void" && friends < MAX_FRIENDS && roundPlaces(perFriend);
  return html`
    <h1>${before}<b>${count}</b>${after}</h1>
    ${horizon(ahead)}
    ${gained > 0 ? html`<p class="news">${news}${moved ? `: about ${formatNumber(moved)} places ahead` : ""} since yesterday.</p>` : ""}
    ${offer ? html`<p>${friends === 0 ? "A" : "Another"} friend moves you up by about <strong>${formatNumber(offer)} places</strong>.</p>` : ""}`;
}

/** Rounds to one digit, at least to tens, because exact numbers would show when any one person joins or leaves. */
function roundPlaces(places: number): number {
  const step = 10 ** Math.max(1, String(places).length - 1);
  return Math.round(places / step) * step;
}

const MAX_DOTS = 28;

/** The member as the ringed dot, and the people ahead as dots that come closer together toward the right. */
function horizon(ahead: number): Markup {
  const dots = Array.from({ length: Math.min(ahead, MAX_DOTS) }, (_, nth) => {
    const [x, size] = [44 * (1 - 0.9 ** (nth + 1)), 3 * 0.97 ** nth];
    return html`<circle cx="${x.toFixed(1)}%" r="${size.toFixed(1)}"/>`;
  });
  return html`<svg class="horizon" aria-hidden="true"><svg x="50%" y="50%" overflow="visible"><circle class="ring" r="22"/><circle class="ring" r="2.5" stroke-width="5"/><g transform="translate(24)">${dots}</g></svg></svg>`;
}

export function shareSection(friends: Friends, link: string): Markup {
  return html`
    <section>
      <h2>Move up with your friends</h2>
      ${friends === "void" ? voided : share(friends, link)}
      <p>You move up when someone ahead of you is invited or leaves. You move back when a friend you brought leaves, or when someone behind you brings friends. Sometimes we invite people out of turn, which moves nobody back.</p>
    </section>`;
}

function share(friends: number, link: string): Markup {
  const text = `I've joined the ${brand.name} waitlist for early access to its security platform. Want in too? Sign up here: ${link}`;
  const mail = `mailto:?subject=${encodeURIComponent(`The ${brand.name} waitlist`)}&body=${encodeURIComponent(text)}`;
  const counted = friends === 0 ? "Nobody has" : pluralize(friends, "friend has", "friends have");
  const people = friends === MAX_FRIENDS ? "Four or more friends have" : counted;
  return html`
    <p>People are in line in the order they joined. Each friend who joins through your link and confirms moves you up as if you had joined a week earlier, at most four weeks in total. We count them at midnight UTC.</p>
    <div class="field">
      <label for="invite">A message with your link</label>
      <textarea id="invite" rows="5" readonly>${text}</textarea>
    </div>
    <p class="choice"><button type="button" data-copies="invite" hidden>Copy message</button> <a href="${mail}">Email it to a friend</a></p>
    <p>${people} joined through your link and confirmed${friends === 0 ? " yet" : ""}.</p>
    <script type="module" src="${SCRIPT_PATH}"></script>`;
}

const voided = html`<p>We don't count people who join through your link anymore, because they didn't look like real friends to us. If we're wrong, write to ${contactLink}.</p>`;
