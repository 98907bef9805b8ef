import { brand } from "#brand/brand.ts";
import { mail, radius } from "#brand/tokens.ts";
import { html } from "#core/html.ts";
import { frame, mailHeaders, QUIET, SIGNATURE } from "./frame.ts";
import type { Mail } from "./sender.ts";

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
export function confirmationMail({ to, page, messageId }: Confirmation): Mail {
  const subject = `Confirm your place on ${brand.name}'s waitlist`;
  return {
    to,
    messageId,
    subject,
    text: [
      `Someone, probably you, put this address on ${brand.name}'s waitlist.`,
      `To confirm that it is yours, open this page and press its button:\n\n${page}`,
      "On the same page you can see what we hold about you, change it, or leave and be erased. It works for 30 days.",
      `If it wasn't you, there is nothing to do. Unconfirmed addresses get no news.\n\n${SIGNATURE}`,
    ].join("\n\n"),
    html: frame(
      subject,
      html`<h1 class="text" style="margin:0 0 16px;color:${mail.heading};font-size:28px;line-height:1.15;letter-spacing:-0.02em">Is this your address?</h1>
    <p class="text" style="margin:0 0 24px;color:${mail.text};font-size:16px;line-height:1.6">Someone, probably you, put it on ${brand.name}'s waitlist. To confirm that it is yours, open your page and press its button.</p>
    <p style="margin:0 0 32px"><a href="${page}" style="display:inline-block;padding:12px 24px;border-radius:${radius.control}px;background:${mail.accent};color:${mail.onAccent};font-size:16px;font-weight:600;text-decoration:none">Open my page</a></p>
    <p class="quiet" style="${QUIET}">There you can also see what we hold about you, change it, or leave and be erased. The link works for 30 days.</p>
    <p class="quiet" style="${QUIET}">If it wasn't you, there is nothing to do. Unconfirmed addresses get no news.</p>
    <p class="quiet" style="${QUIET}">Or copy this address: <span style="word-break:break-all">${page}</span></p>`,
    ),
    headers: mailHeaders(page),
  };
}
