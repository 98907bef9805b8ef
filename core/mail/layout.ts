import { brand } from "#brand/brand.ts";
import { dark, font, mail, radius } from "#brand/tokens.ts";
import { html, Markup } from "#core/html.ts";

export interface MailContent {
  title: string;
  /** One paragraph above the button. */
  text: string;
  button: { label: string; url: string };
  /** Smaller paragraphs below it. */
  notes: (string | Markup)[];
}

/** A mail's HTML. Inline styles, because mail clients need them; no images, so none can be missing. */
export function renderMail({ title, text, button: { label, url }, notes }: MailContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>${title}</title>
  <style>
    @media (prefers-color-scheme: dark) {
      .ground { background: ${dark.ground} !important; }
      .text { color: ${dark.text} !important; }
      .quiet, .quiet a { color: ${dark.quiet} !important; }
    }
  </style>
</head>
<body class="ground" style="margin:0;background:${mail.ground};font-family:${new Markup(font.mail)}">
  <div role="main" class="ground" style="max-width:520px;margin:0 auto;padding:40px 24px;background:${mail.ground}">
    <p class="text" style="margin:0 0 40px;color:${mail.heading};font-size:16px;font-weight:600">${brand.name}</p>
    <h1 class="text" style="margin:0 0 16px;color:${mail.heading};font-size:28px;line-height:1.15;letter-spacing:-0.02em">${title}</h1>
    <p class="text" style="margin:0 0 24px;color:${mail.text};font-size:16px;line-height:1.6">${text}</p>
    <p style="margin:0 0 32px"><a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:${radius.control}px;background:${mail.accent};color:${mail.onAccent};font-size:16px;font-weight:600;text-decoration:none">${label}</a></p>
    ${[...notes, html`Or paste this link into your browser: <span style="word-break:break-all">${url}</span>`].map(note)}
  </div>
</body>
</html>
`.text;
}

function note(content: string | Markup): Markup {
  return html`<p class="quiet" style="margin:0 0 24px;color:${mail.quiet};font-size:14px;line-height:1.6">${content}</p>`;
}

/** A link inside a note. */
export function noteLink(url: string, label: string): Markup {
  return html`<a href="${url}" style="color:${mail.quiet};text-decoration:underline">${label}</a>`;
}
