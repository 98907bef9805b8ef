import { brand } from "#brand/brand.ts";
import { dark, font, mail, radius } from "#brand/tokens.ts";
import { html, Markup } from "#core/html.ts";

export interface Confirmation {
  to: string;
  /** The URL of the member's page. */
  page: string;
  /** The same on every attempt, so that a second copy is recognized as a duplicate. */
  messageId: string;
}

/**
 * Asks the recipient to confirm the address. It contains nothing that was typed into the form: a name can be an
 * advertisement, and we would deliver it.
 */
export function confirmationMail({ to, page, messageId }: Confirmation) {
  return {
    to,
    messageId,
    subject: `Confirm your place on ${brand.name}'s waitlist`,
    text: [
      `Someone, probably you, put this address on ${brand.name}'s waitlist.`,
      `To confirm that it is yours, open this page and press its button:\n\n${page}`,
      "On the same page you can see what we hold about you, change it, or leave and be erased. It works for 30 days.",
      `If it wasn't you, there is nothing to do. Unconfirmed addresses get no news.\n\n${brand.name}\n${brand.address}`,
    ].join("\n\n"),
    html: renderHtml(page),
    headers: {
      "list-unsubscribe": `<${page}/unsubscribe>`,
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      // Suppresses vacation replies (RFC 3834).
      "auto-submitted": "auto-generated",
    },
  };
}

/** Inline styles, because mail clients need them; no images, so none can be missing. */
function renderHtml(page: string): string {
  const quiet = `margin:0 0 24px;color:${mail.quiet};font-size:14px;line-height:1.6`;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="supported-color-schemes" content="light dark">
  <title>Confirm your place on ${brand.name}'s waitlist</title>
  <style>
    @media (prefers-color-scheme: dark) {
      .ground { background: ${dark.ground} !important; }
      .text { color: ${dark.text} !important; }
      .quiet { color: ${dark.quiet} !important; }
    }
  </style>
</head>
<body class="ground" style="margin:0;background:${mail.ground};font-family:${new Markup(font.mail)}">
  <div role="main" class="ground" style="max-width:520px;margin:0 auto;padding:40px 24px;background:${mail.ground}">
    <p class="text" style="margin:0 0 40px;color:${mail.heading};font-size:16px;font-weight:600">${brand.name}</p>
    <h1 class="text" style="margin:0 0 16px;color:${mail.heading};font-size:28px;line-height:1.15;letter-spacing:-0.02em">Is this your address?</h1>
    <p class="text" style="margin:0 0 24px;color:${mail.text};font-size:16px;line-height:1.6">Someone, probably you, put it on ${brand.name}'s waitlist. To confirm that it is yours, open your page and press its button.</p>
    <p style="margin:0 0 32px"><a href="${page}" style="display:inline-block;padding:12px 24px;border-radius:${radius.control}px;background:${mail.accent};color:${mail.onAccent};font-size:16px;font-weight:600;text-decoration:none">Open my page</a></p>
    <p class="quiet" style="${quiet}">There you can also see what we hold about you, change it, or leave and be erased. The link works for 30 days.</p>
    <p class="quiet" style="${quiet}">If it wasn't you, there is nothing to do. Unconfirmed addresses get no news.</p>
    <p class="quiet" style="${quiet}">Or copy this address: <span style="word-break:break-all">${page}</span></p>
  </div>
</body>
</html>
`.text;
}
