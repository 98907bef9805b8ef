import { expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { createMailQueue } from "#core/mail/choose-mails.ts";
import { stopConfirmations } from "#core/mail/flag-mail.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const mail = useMail();

async function joinFrom(remoteAddress: string, email?: string): Promise<void> {
  const payload = aSignUp(email ? { email } : {});
  const response = await mail.app.inject({ method: "POST", url: WAITLIST_PATH, payload, remoteAddress });
  expect(response.statusCode).toBe(201);
}
const deliver = async () => (await mail.deliver()).map(({ email }) => email);
const rows = () => mail.db.selectFrom("sign_ups").selectAll().orderBy("id").execute();

test("a person's mail doesn't wait for the hundreds that another network has caused", async () => {
  for (let number = 0; number < 200; number += 1) await joinFrom(`2001:db8:1:${number % 10}::1`);
  await joinFrom("198.51.100.7", "person@example.com");
  // Next to the first mail of the other network, all of whose parts are one to us.
  const { mails } = await createMailQueue(mail.db, 600)(5);
  expect(mails.map(({ email }) => email)).toContain("person@example.com");
});

test("who signs up again keeps their place among the mails of their own network", async () => {
  await joinFrom("198.51.100.7");
  const { mail_network } = await mail.row();
  await mail.db.pool.query("update sign_ups set mail_due = false, mail_network = 0");
  const payload = aSignUp({ email: (await mail.row()).email });
  await mail.app.inject({ method: "POST", url: WAITLIST_PATH, payload, remoteAddress: "198.51.100.8" });
  expect(await mail.row()).toMatchObject({ mail_due: true, mail_network });
});

test("one mailbox gets three mails in 30 days, however many of its addresses are signed up, and the next after that", async () => {
  for (let number = 0; number < 20; number += 1) await joinFrom(`10.0.${number}.1`, `target+${number}@gmail.com`);
  await joinFrom("10.1.0.1", "t.a.r.get@googlemail.com");
  await joinFrom("10.2.0.1", "other@gmail.com");
  const recipients = [...(await deliver()), ...(await deliver())];
  expect(recipients).toHaveLength(4);
  expect(recipients).toContain("other@gmail.com");
  // All of them are on the list, and the others have a time to try again.
  expect((await rows()).filter(({ mail_due }) => !mail_due)).toHaveLength(22);
  expect(
    (await mail.confirmations()).filter(({ state, next_try_at }) => state === "pending" && next_try_at),
  ).toHaveLength(18);
  expect(await mail.queue()).toMatchObject({ waiting: 0 });

  await mail.pass("30 days");
  await mail.db.pool.query(
    "update mailboxes set mailed_at = array(select at - interval '30 days' from unnest(mailed_at) as at)",
  );
  expect([...(await deliver()), ...(await deliver())]).toHaveLength(3);
});

test("someone who unsubscribes gets no mail at the other addresses of their mailbox", async () => {
  await joinFrom("10.0.0.1", "ada@example.com");
  expect(await deliver()).toEqual(["ada@example.com"]);
  await stopConfirmations(mail.db, await mail.row());
  await joinFrom("10.0.1.1", "ada+again@example.com");
  expect(await deliver()).toEqual([]);
});

test("someone who unsubscribed gets no confirmation by signing up again, however much later", async () => {
  const ada = aSignUp();
  await mail.join(ada);
  await mail.deliver();
  await stopConfirmations(mail.db, await mail.row());
  await mail.pass("31 days");
  await mail.join(ada);
  expect(await mail.row()).toMatchObject({ mail_due: false });
});

test("which network a sign-up came from is forgotten as soon as its mail is sent", async () => {
  await joinFrom("198.51.100.7");
  expect((await mail.row()).mail_network).not.toBe(0);
  await mail.deliver();
  expect(await mail.row()).toMatchObject({ mail_network: 0 });
});
