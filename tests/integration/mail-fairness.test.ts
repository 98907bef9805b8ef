import { describe, expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { recordOutcome } from "#core/mail/queue/deliveries.ts";
import { requestLink, stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { createApp } from "#server/app.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const mail = useMail();

async function joinFrom(network: string, email?: string): Promise<void> {
  const { statusCode } = await mail.join(aSignUp(email ? { email } : {}), network);
  expect([201, 409]).toContain(statusCode);
}
const deliver = async () => (await mail.deliver()).map(({ email }) => email);

test("a person's mail doesn't wait for the hundreds that another network caused, even by signing up again", async () => {
  for (let round = 0; round < 2; round += 1) {
    const joining = Array.from({ length: 200 }, (_, at) => joinFrom(`2001:db8:1:${at % 10}::1`, `p${at}@example.com`));
    await Promise.all(joining);
    await joinFrom("198.51.100.7", "person@example.com");
    expect(await mail.queue()).toMatchObject({ waiting: 201 });
    // The ten /64s count as one network, which has only one turn before this person.
    const { mails } = await createMailQueue(mail.db, 600)(5);
    expect(mails.map(({ email }) => email)).toContain("person@example.com");
    for (const claimed of mails) await recordOutcome(mail.db, claimed, "sent");
    await mail.deliver();
    await mail.pass("1 day");
  }
});

test.each([
  ["sign up", () => joinFrom("198.51.100.7", "owner@example.com")],
  ["ask for the link", () => requestLink(mail.db, MAIL_ON, keyOf("owner@example.com"), 7)],
])("someone whom a flood signed up last gets their mail first if they %s", async (_what, act) => {
  for (let number = 0; number < 20; number += 1) await joinFrom("10.0.0.1");
  await joinFrom("10.0.0.1", "owner@example.com");
  await act();
  await joinFrom("10.0.0.1", "owner@example.com");
  const { mails } = await createMailQueue(mail.db, 600)(2);
  expect(mails.map(({ email }) => email)).toContain("owner@example.com");
});

test("someone who unsubscribed never gets another confirmation, even if a sign-up waited for the unsubscribe", async () => {
  const ada = aSignUp();
  await mail.join(ada);
  await mail.deliver();
  await stopConfirmations(mail.db, await mail.row());
  await mail.pass("31 days");
  await mail.join(ada);
  expect(await mail.row()).toMatchObject({ mail_network: null });
  // Simulates a sign-up that waited for the unsubscribe's lock before it set the flag.
  await mail.db.pool.query("update sign_ups set mail_network = 0");
  expect(await deliver()).toEqual([]);
  expect(await mail.confirmations()).toMatchObject([{ reason: "unsubscribed" }]);
});

test("an unsubscribe that can't silence the mailbox stops nothing, and works when repeated", async () => {
  await mail.join(aSignUp());
  await mail.db.pool.query("alter table mailboxes add constraint broken check (unsubscribed_at is null)");
  await expect(stopConfirmations(mail.db, await mail.row())).rejects.toThrow("broken");
  await mail.db.pool.query("alter table mailboxes drop constraint broken");
  await stopConfirmations(mail.db, await mail.row());
  expect(await mail.db.selectFrom("mailboxes").selectAll().execute()).toHaveLength(1);
});

test("someone who unsubscribes gets no mail at the other addresses of their mailbox", async () => {
  await joinFrom("10.0.0.1", "ada@example.com");
  expect(await deliver()).toEqual(["ada@example.com"]);
  await stopConfirmations(mail.db, await mail.row());
  await joinFrom("10.0.1.1", "ada+again@example.com");
  expect(await deliver()).toEqual([]);
});

test("a sign-up's network is forgotten as soon as its mail is sent", async () => {
  await joinFrom("198.51.100.7");
  expect((await mail.row()).mail_network).not.toBeNull();
  await mail.deliver();
  expect(await mail.row()).toMatchObject({ mail_network: null });
});

describe("confirmation emails", () => {
  test("hundreds of sign-ups with the same address send one email", async () => {
    const ada = aSignUp();
    let mails = 0;
    for (let round = 0; round < 9; round += 1) {
      const joining = Array.from({ length: 100 }, () => mail.join(ada));
      const [sent] = await Promise.all([mail.deliver(), ...joining]);
      mails += sent.length;
    }
    expect(mails + (await mail.deliver()).length).toBe(1);
  });

  test("signing up again sends no email to someone who confirmed", async () => {
    const ada = aSignUp();
    await mail.join(ada);
    await mail.deliver();
    await mail.db.pool.query("update sign_ups set confirmed_at = now()");
    await mail.pass("25 hours");
    await mail.join(ada);
    expect(await mail.deliver()).toEqual([]);
  });

  // Retries, because a new minute may start between two claims.
  test("the limit of emails per minute holds for all workers together, retries included", { retry: 1 }, async () => {
    await Promise.all(Array.from({ length: 12 }, () => mail.join()));
    const [first, ...others] = [1, 2, 3].map(() => createMailQueue(mail.db, 6));
    const delayed = (await first?.(4))?.mails ?? [];
    for (const each of delayed) await recordOutcome(mail.db, each, "delayed");
    await mail.pass("1 hour");
    const claimed = await Promise.all(others.map((claim) => claim(5)));
    expect([delayed.length, claimed.flatMap(({ mails }) => mails).length]).toEqual([4, 2]);
  });

  test("someone who joined while mail was off gets an email on signing up again", async () => {
    const ada = aSignUp();
    await mail.join(ada);
    await mail.db.pool.query("update sign_ups set mail_network = null");
    await mail.join(ada);
    expect(await mail.deliver()).toHaveLength(1);
  });

  test("an email that was delayed for more than a day is not followed by a second one right away", async () => {
    const ada = aSignUp();
    await mail.join(ada);
    expect(await mail.deliver("delayed")).toHaveLength(1);
    await mail.pass("25 hours");
    await mail.join(ada);
    expect([(await mail.deliver()).length, (await mail.deliver()).length]).toEqual([1, 0]);
  });
});

test("without SMTP_URL no email is flagged as due", async () => {
  const withoutMail = await createApp({ db: mail.db, ...unlimited });
  const response = await withoutMail.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
  expect(Object.keys(response.json())).toEqual(["data"]);
  expect(await mail.row()).toMatchObject({ mail_network: null });
  await withoutMail.close();
});
