import { brand } from "#brand/brand.ts";
import { legalTexts } from "#brand/legal.ts";
import { markSvg } from "#brand/mark.ts";
import { html, Markup } from "#core/text/html.ts";

export const STYLE_PATH = "/api/waitlist/membership.css";

/** A whole page. On an error, its title starts with "Error:", because screen readers read the title first. */
export function page(
  title: string,
  content: Markup,
  state: "normal" | "error" = "normal",
  heading: Markup = html`<h1>${title}</h1>`,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${state === "error" ? "Error: " : ""}${title} | ${brand.name}</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
  <header>
    <a href="/">${new Markup(markSvg())}${brand.name}</a>
  </header>
  <main>
    ${heading}
    ${content}
  </main>
  <footer>
    <a href="/">${brand.name}</a>
    ${contactLink}
    ${legalTexts.map(({ id, title: text }) => html`<a href="/#${id}">${text}</a> `)}
  </footer>
</body>
</html>
`.text;
}

export const contactLink = html`<a href="mailto:${brand.mail}">${brand.mail}</a>`;
