import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { stopConfirmations } from "#core/mail/flag-mail.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const mail = useMail();

async function joinFrom(remoteAddress: string, email?: string): Promise<void> {
  const payload = aSignUp(email ? { email } : {});
  const response = await mail.app.inject({ method: "POST", url: WAITLIST_PATH, payload, remoteAddress });
  expect(response.statusCode).toBe(201);
}
const recipients = () => mail.smtp.mails.map(({ to }) => to?.[0]?.address);
const rows = () => mail.db.selectFrom("sign_ups").selectAll().orderBy("id").execute();

test("a person's mail doesn't wait for the hundreds that another network has caused", async () => {
  for (let number = 0; number < 628; number += 1) await joinFrom(`2001:db8:1:${number % 10}::1`);
  await joinFrom("198.51.100.7", "person@example.com");
  await mail.startWorker();
  await expect.poll(() => recipients().includes("person@example.com"), { timeout: 20_000 }).toBe(true);
  // Next to the first mails of the other network, all of which are one to us.
  expect(recipients().indexOf("person@example.com")).toBeLessThan(10);
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
  for (let number = 0; number < 60; number += 1) await joinFrom(`10.0.${number}.1`, `target+${number}@gmail.com`);
  await joinFrom("10.1.0.1", "t.a.r.get@googlemail.com");
  await joinFrom("10.2.0.1", "other@gmail.com");
  await mail.startWorker();
  await expect.poll(async () => (await rows()).some(({ mail_due }) => mail_due), { timeout: 20_000 }).toBe(false);
  await mail.arrived(4);
  await pause(1500);
  expect(recipients().filter((address) => address !== "other@gmail.com")).toHaveLength(3);
  expect(recipients()).toContain("other@gmail.com");
  // All of them are on the list, and the others have a time to try again.
  expect(await rows()).toHaveLength(62);
  expect(
    (await mail.confirmations()).filter(({ state, next_try_at }) => state === "pending" && next_try_at),
  ).toHaveLength(58);
  expect(await mail.queue()).toMatchObject({ waiting: 0 });

  await mail.pass("30 days");
  await mail.db.pool.query(
    "update mailboxes set mailed_at = array(select at - interval '30 days' from unnest(mailed_at) as at)",
  );
  await mail.arrived(7);
  await pause(1500);
  expect(mail.smtp.mails).toHaveLength(7);
});

test("someone who unsubscribes gets no mail at the other addresses of their mailbox", async () => {
  await mail.startWorker();
  await joinFrom("10.0.0.1", "ada@example.com");
  await mail.arrived(1);
  await stopConfirmations(mail.db, await mail.row());
  await joinFrom("10.0.1.1", "ada+again@example.com");
  await expect.poll(async () => (await rows()).some(({ mail_due }) => mail_due), { timeout: 20_000 }).toBe(false);
  await pause(1500);
  expect(mail.smtp.mails).toHaveLength(1);
});

test("someone who unsubscribed gets no confirmation by signing up again, however much later", async () => {
  await mail.startWorker();
  const ada = aSignUp();
  await mail.join(ada);
  await mail.arrived(1);
  await mail.stopWorkers();
  await stopConfirmations(mail.db, await mail.row());
  await mail.pass("31 days");
  await mail.join(ada);
  expect(await mail.row()).toMatchObject({ mail_due: false });
});

test("which network a sign-up came from is forgotten as soon as its mail is sent", async () => {
  await joinFrom("198.51.100.7");
  expect((await mail.row()).mail_network).not.toBe(0);
  await mail.startWorker();
  await mail.arrived(1);
  expect(await mail.row()).toMatchObject({ mail_network: 0 });
});
