import { describeAhead } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";

export interface InLine {
  /** How many people are ahead of the member. */
  ahead: number;
}

/** The member's place, and why it changes. */
export function line({ ahead }: InLine): Markup {
  return html`
    <p class="place">${describeAhead(ahead, "you")}</p>
    <details>
      <summary>Why does my place change?</summary>
      <p>You move up when someone ahead of you is invited or leaves. We sometimes invite people out of turn, and that moves nobody back.</p>
    </details>`;
}
