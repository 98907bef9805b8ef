import { generateKeyPairSync } from "node:crypto";
import { expect } from "@playwright/test";
import PostalMime, { type Email } from "postal-mime";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { defaultInvitation, INVITATION_SUBJECT } from "#core/invitations/invitation-text.ts";
import { CONFIRMATION, type Kind, REMINDER } from "#core/mail/recipients.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningSite, startSite } from "#tools/dev/running-site.ts";
import { changeMessage, createMessage, prepareMessage } from "./accepted.ts";
import { OPERATOR } from "./an-operator.ts";
import { addPeople } from "./people.ts";
import { post } from "./post.ts";
import type { MailServer } from "./scratch-smtp.ts";
import { aSignUp } from "./sign-ups.ts";

export interface MailSite {
  site: RunningSite;
  db: Database;
  /** Waits for this many emails and returns their raw source. */
  arrived(mails: number): Promise<Buffer[]>;
}

export const MAIL_SECRET = "an example secret of 32 characters";
const INVITE_URL = "https://app.farwatch.example/join";

/** Runs a separate site that sends email to the given mail server and has invitations on. */
export async function withMailSite<Result>(
  start: () => Promise<MailServer>,
  env: Record<string, string>,
  act: (mailSite: MailSite) => Promise<Result>,
): Promise<Result> {
  const server = await start();
  const port = await freePort();
  const site = await startSite({
    PORT: String(port),
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    SECRET: MAIL_SECRET,
    SMTP_URL: server.url,
    LIMIT_PER_CLIENT: "1000000",
    INVITE_URL,
    INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    ...env,
  });
  const db = connect(site.databaseUrl);
  try {
    return await act({
      site,
      db,
      async arrived(mails) {
        await expect.poll(async () => (await server.inbox()).length).toBe(mails);
        return server.inbox();
      },
    });
  } finally {
    await db.destroy();
    await site.stop();
    await server.stop();
  }
}

/** Uses all Markdown that emails support. */
const ANNOUNCEMENT = `# What's new in October

Hi {{firstName}}, here's what we shipped this month.

## Alerts that explain themselves

Each alert now says **what happened**, *why it matters* and what to do next:

- who signed in, and from where
- what changed since \`last week\`

1. Open the alert.
2. Choose a response.

> "We found the leak in ten minutes."

\`\`\`
farwatch scan --domain example.com --report weekly --notify security@example.com
\`\`\`

---

### Questions?

Read [the guide](https://farwatch.example/a-guide-with-a-long-address-that-has-to-wrap-on-a-phone) or [write to us](mailto:hello@farwatch.example).
`;

/** Makes the site send one email of each kind, and returns them parsed. */
export async function sendEveryKind({ site, db, arrived }: MailSite): Promise<Record<Kind, Email>> {
  const member = "member@example.com";
  await addPeople(db, [{ email: "subscriber@example.com" }, { email: member, newsletter: false }]);
  await post(site.origin, aSignUp({ newsletter: true }));
  await fetch(`${site.origin}${MEMBERSHIP_PATH}`, {
    method: "POST",
    headers: { origin: site.origin, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ email: member }),
  });
  const invitations = { url: INVITE_URL, issuer: site.origin, lifetimeDays: 30, keys: createKeys(MAIL_SECRET) };
  for (const draft of [
    { kind: "invitation", ...defaultInvitation(invitations), audience: { next: 1 } },
    { kind: "announcement", subject: "What's new in October", body: ANNOUNCEMENT, audience: {} },
  ] as const) {
    const { id } = await createMessage(db, OPERATOR, { ...draft, pace: null }, invitations);
    await prepareMessage(db, OPERATOR, id);
    await changeMessage(db, OPERATOR, id, "start");
  }
  await arrived(4);
  await untilAllSent(db);
  await db.pool.query(`
    with mailed as (update deliveries set sent_at = now() - interval '1 day' where message_id = ${CONFIRMATION})
    update sign_ups set joined_at = now() - interval '3 days'`);
  await changeMessage(db, OPERATOR, REMINDER, "resume");
  const mails = await Promise.all((await arrived(5)).map((raw) => PostalMime.parse(raw)));
  await untilAllSent(db);
  const bySubject = (start: string) => mails.find(({ subject }) => subject?.startsWith(start)) as Email;
  return {
    reminder: bySubject("Reminder"),
    confirmation: bySubject("Confirm"),
    link: bySubject("Your"),
    invitation: bySubject(INVITATION_SUBJECT),
    announcement: bySubject("What's new"),
  };
}

/** Waits for the database, because an email can arrive before it is recorded as sent. */
export async function untilAllSent(db: Database): Promise<void> {
  const unsent = `
    select from sign_ups where mail_network is not null
    union all select from deliveries where state = 'pending'
    union all select from messages where state = 'sending' and id > 2`;
  await expect.poll(async () => (await db.pool.query(unsent)).rowCount).toBe(0);
}
