import { html } from "#core/html.ts";
import { contactLink, page } from "./layout.ts";

/** Renders problems that people can run into; returns undefined for those that only a program causes. */
export function problemPage(status: number): string | undefined {
  if (status === 429) {
    return page(
      "Too many requests",
      html`<section><p>Wait a few minutes, then try again. You can still unsubscribe or leave the list.</p></section>`,
    );
  }
  if (status >= 500) {
    return page(
      "Something went wrong",
      html`<section><p>It's on our side. Try again in a minute. If it keeps happening, write to ${contactLink()}.</p></section>`,
    );
  }
  return undefined;
}
