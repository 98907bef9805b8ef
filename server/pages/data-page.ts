import { formatLongDate, formatTime } from "#core/text/format.ts";
import { html, type Markup } from "#core/text/html.ts";
import { page } from "./layout.ts";

export function dataPage(data: object, path: string): string {
  const sections = Object.entries(data).map(
    ([title, rows]) => html`<section><h2>${title}</h2>${toHtml(rows)}</section>`,
  );
  const intro = html`<p>Everything we store about you. <a href="${path}">Back to your page</a></p>`;
  return page("Your data", html`${intro}${sections}`);
}

/** Skips empty fields. */
function toHtml(value: unknown): Markup {
  if (value instanceof Date) return html`<p>${formatLongDate(value)}, ${formatTime(value)} UTC</p>`;
  if (typeof value === "boolean") return html`${value ? "Yes" : "No"}`;
  if (typeof value !== "object") return html`${String(value)}`;
  const entries = Object.entries(value ?? {}).filter(([, one]) => one !== null && one !== "");
  if (entries.length === 0) return html`<p>Nothing.</p>`;
  if (Array.isArray(value)) return html`${value.map(toHtml)}`;
  return html`<dl>${entries.map(([name, one]) => html`<div><dt>${name}</dt><dd>${toHtml(one)}</dd></div>`)}</dl>`;
}
