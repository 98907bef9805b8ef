import { describe, expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { recordOutcome } from "#core/mail/queue/deliveries.ts";
import { requestLink, resendFor, stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { createApp } from "#server/app.ts";
import { composeMail } from "#tests/support/accepted.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { ORIGIN, SECRET, useMail } from "#tests/support/mail-worker.ts";
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

test("people who sign up again are locked in the order of ids, whatever order they arrive or are stored in", async () => {
  await mail.join();
  await mail.join();
  const people = await mail.db.selectFrom("sign_ups").select(["id", "email_key"]).orderBy("id", "desc").execute();
  for (const { id } of people) await mail.db.pool.query("update sign_ups set mail_network = null where id = $1", [id]);
  const [second, first] = people.map(({ id }) => id);
  const { flagged } = await inTransaction(mail.db.pool, async (client) => {
    await client.query("select from sign_ups where id = $1 for update", [first]);
    const again = people.map(({ email_key }) => ({ email_key, mail_network: 7 }));
    const flagging = resendFor(MAIL_ON)?.(mail.db.pool, again);
    await untilBlocked(mail.db);
    const free = await client.query("select id from sign_ups order by id for update skip locked");
    expect(free.rows).toEqual([{ id: first }, { id: second }]);
    return { flagged: flagging };
  });
  await flagged;
  expect(await mail.queue()).toMatchObject({ waiting: 2 });
});

test("an unsubscribe isn't undone by a sign-up that waited for it", async () => {
  const ada = aSignUp();
  await mail.join(ada);
  await mail.deliver();
  await stopConfirmations(mail.db, await mail.row());
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

test("someone who unsubscribed never gets another confirmation by signing up again", async () => {
  const ada = aSignUp();
  await mail.join(ada);
  await mail.deliver();
  await stopConfirmations(mail.db, await mail.row());
  await mail.pass("31 days");
  await mail.join(ada);
  expect(await mail.row()).toMatchObject({ mail_network: null });
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

  test("signing up again sends another email after a day, and none once confirmed", async () => {
    const ada = aSignUp();
    const messageIds = new Set<string>();
    const joinAndDeliver = async () => {
      await mail.join(ada);
      const mails = await mail.deliver();
      const links = { keys: createKeys(SECRET), origin: ORIGIN, postalAddress: "" };
      for (const each of mails) messageIds.add((await composeMail(each, links)).messageId);
      return mails.length;
    };
    for (const copies of [1, 2]) {
      expect([await joinAndDeliver(), await joinAndDeliver()]).toEqual([1, 0]);
      expect(messageIds.size).toBe(copies);
      await mail.pass("25 hours");
    }
    await mail.db.pool.query("update sign_ups set confirmed_at = now()");
    expect(await joinAndDeliver()).toBe(0);
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
