import { brand } from "#brand/brand.ts";
import { html, type Markup } from "#core/html.ts";

/** For invited members. A link, because the page's policy lets forms post only to our own origin. */
export function invitationSection(url: string): Markup {
  return html`
      <section>
        <h2>You're invited</h2>
        <p>It's your turn: create your ${brand.name} account. Your invitation works once, so don't share it.</p>
        <p><a class="button" href="${url}">Accept invitation</a></p>
      </section>`;
}
