import { test as base } from "@playwright/test";
import type { Email } from "postal-mime";
import type { Kind } from "#core/mail/recipients.ts";
import { type MailSite, sendEveryKind, withMailSite } from "#tests/support/mail-site.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";

interface MailFixtures {
  mailSite: MailSite & { mails: Record<Kind, Email> };
}

/** Each Playwright worker runs a site that has sent one email of each kind. */
export const test = base.extend<object, MailFixtures>({
  mailSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern.
    async ({}, use) =>
      withMailSite(startScratchSmtp, {}, async (site) => use({ ...site, mails: await sendEveryKind(site) })),
    { scope: "worker" },
  ],
});

export { expect } from "@playwright/test";
