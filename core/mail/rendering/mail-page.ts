import { brand } from "#brand/brand.ts";
import { markHtml } from "#brand/mark.ts";
import { dark, font, light, mail, radius } from "#brand/tokens.ts";
import { html, Markup } from "#core/text/html.ts";

export const QUIET = `margin:0 0 24px;color:${mail.quiet};font-size:14px;line-height:1.6`;
export const BUTTON = `display:inline-block;padding:12px 24px;border-radius:${radius.control}px;background:${mail.accent};color:${mail.onAccent};font-size:16px;font-weight:600;text-decoration:none`;

const RING = `width:6px;padding:5px;border:1px solid ${light.accentFar};border-radius:50%`;
const LINE = html`<div class="line" style="border-top:1px solid ${mail.line}"></div>`;

/** The mark and the name above a horizon line with a ringed dot. */
const HEADER = html`<table role="presentation" cellpadding="0" cellspacing="0"><tr><td>${new Markup(markHtml(mail.heading, light.accentFar))}</td><td class="text" style="padding-left:8px;color:${mail.heading};font-size:16px;font-weight:600">${brand.name}</td></tr></table>
    <table role="presentation" cellpadding="0" cellspacing="0" width="100%" style="margin:12px 0 32px"><tr><td>${LINE}</td><td width="18"><div class="ring" style="${RING}"><div class="ring" style="width:0;border:3px solid ${light.accentFar};border-radius:50%"></div></div></td><td width="24">${LINE}</td></tr></table>`;

/** The brand's frame for mail. Inline styles, because mail clients need them. No images, so none can be missing. */
export function frame(title: string, content: Markup[], postalAddress: string): string {
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
      .link { color: inherit !important; }
      .tower { border-color: ${dark.text} !important; }
      .line { border-color: ${dark.lineStrong} !important; }
      .ring { border-color: ${dark.accentFar} !important; }
      .light { border-right-color: ${dark.accentFar} !important; }
      .quiet, .quiet a { color: ${dark.quiet} !important; }
    }
  </style>
</head>
<body class="ground" style="margin:0;background:${mail.ground};font-family:${new Markup(font.mail)}">
  <div role="main" class="ground" style="max-width:520px;margin:0 auto;padding:40px 24px;background:${mail.ground}">
    ${HEADER}
    ${content}
    <p class="quiet" style="${QUIET}">${brand.name}<br>${postalAddress}<br>${brand.address}</p>
  </div>
</body>
</html>
`.text;
}

export interface MailLinks {
  page: string;
  /** The URL that can only unsubscribe. */
  unsubscribe: string;
  /** The same on every attempt, so that a second copy is recognized as a duplicate. */
  messageId: string;
  /** The sender's address, required by law. */
  postalAddress: string;
  /** Where a person accepts an invitation, if that is configured. */
  inviteUrl?: string | undefined;
}

export const signature = (postalAddress: string) => `${brand.name}\n${postalAddress}\n${brand.address}`;

export function noteLink(url: string, label: string): Markup {
  return html`<a href="${url}" style="color:${mail.quiet};text-decoration:underline">${label}</a>`;
}

export const pasteLink = (url: string) =>
  html`Or paste this link into your browser:<br><span style="word-break:break-all">${url}</span>`;

export function note(content: string | Markup): Markup {
  return html`<p class="quiet" style="${QUIET}">${content}</p>`;
}
