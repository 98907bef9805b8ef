import { brand } from "#brand/brand.ts";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { html } from "#core/html.ts";
import { contactLink, page } from "./layout.ts";

/** Shows nothing about the person, because mail providers have the link too. */
export function unsubscribePage(path: string): string {
  return page(
    "Unsubscribe",
    html`
      <section>
        <p>We'll stop sending you product news from ${brand.name} and won't ask again to confirm your address. You keep your place on the waitlist.</p>
        <form method="post" action="${path}"><button>Unsubscribe</button></form>
      </section>`,
  );
}

export function unsubscribedPage(): string {
  return page(
    "You're unsubscribed",
    html`
      <section>
        <p>We won't send you product news or ask again to confirm your address. You keep your place on the waitlist.</p>
        <p>To subscribe again, change your details or leave the list, open your page with the link in one of our emails.</p>
        <p>Lost it? If you've confirmed your address, <a href="${MEMBERSHIP_PATH}">get your link</a> again. Otherwise, write to ${contactLink()}.</p>
      </section>`,
  );
}
