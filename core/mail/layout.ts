import { mail } from "#brand/tokens.ts";
import { html, type Markup } from "#core/html.ts";
import { BUTTON, frame, QUIET } from "./frame.ts";

export interface MailContent {
  title: string;
  /** One paragraph above the button. */
  text: string;
  button: { label: string; url: string };
  /** Smaller paragraphs below it. */
  notes: (string | Markup)[];
}

/** A mail that asks for one thing. */
export function renderMail({ title, text, button: { label, url }, notes }: MailContent): string {
  return frame(
    title,
    html`<h1 class="text" style="margin:0 0 16px;color:${mail.heading};font-size:28px;line-height:1.15;letter-spacing:-0.02em">${title}</h1>
    <p class="text" style="margin:0 0 24px;color:${mail.text};font-size:16px;line-height:1.6">${text}</p>
    <p style="margin:0 0 32px"><a href="${url}" style="${BUTTON}">${label}</a></p>
    ${[...notes, html`Or paste this link into your browser:<br><span style="word-break:break-all">${url}</span>`].map(note)}`,
  );
}

function note(content: string | Markup): Markup {
  return html`<p class="quiet" style="${QUIET}">${content}</p>`;
}
