import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { stopConfirmations } from "#core/mail/outbox.ts";
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
  await expect.poll(() => recipients().includes("person@example.com"), { timeout: 10_000 }).toBe(true);
  // In the first four seconds of mail, at 600 a minute.
  expect(recipients().indexOf("person@example.com")).toBeLessThan(40);
});

test("the queue holds a few seconds of mail, and the rest stays due", async () => {
  for (let number = 0; number < 100; number += 1) await joinFrom("198.51.100.7");
  await mail.startWorker({ MAIL_PER_MINUTE: "1" });
  await expect.poll(async () => (await mail.queue()).waiting, { timeout: 10_000 }).toBeGreaterThan(0);
  await pause(2000);
  expect((await mail.queue()).waiting).toBeLessThanOrEqual(21);
  expect((await rows()).filter(({ mail_due }) => mail_due).length).toBeGreaterThanOrEqual(79);
});

test("one mailbox gets three mails, however many of its addresses are signed up", async () => {
  for (let number = 0; number < 60; number += 1) await joinFrom(`10.0.${number}.1`, `target+${number}@gmail.com`);
  await joinFrom("10.1.0.1", "t.a.r.get@googlemail.com");
  await joinFrom("10.2.0.1", "other@gmail.com");
  await mail.startWorker();
  await expect.poll(async () => (await rows()).some(({ mail_due }) => mail_due), { timeout: 20_000 }).toBe(false);
  await mail.arrived(4);
  await pause(1500);
  expect(recipients().filter((address) => address !== "other@gmail.com")).toHaveLength(3);
  expect(recipients()).toContain("other@gmail.com");
  // All of them are on the list, and four have a delivery of one copy.
  expect(await rows()).toHaveLength(62);
  expect((await mail.confirmations()).map(({ copies }) => copies)).toEqual([1, 1, 1, 1]);
});

test("someone who unsubscribes gets no mail at the other addresses of their mailbox", async () => {
  await mail.startWorker();
  await joinFrom("10.0.0.1", "ada@example.com");
  await mail.arrived(1);
  await stopConfirmations(mail.db, (await mail.row()).id);
  await joinFrom("10.0.1.1", "ada+again@example.com");
  await expect.poll(async () => (await rows()).some(({ mail_due }) => mail_due), { timeout: 20_000 }).toBe(false);
  await pause(1500);
  expect(mail.smtp.mails).toHaveLength(1);
});

test("which network a sign-up came from is forgotten as soon as its mail is queued", async () => {
  await joinFrom("198.51.100.7");
  const { mail_network } = (await mail.row()) as { mail_network?: number | null };
  expect(mail_network).toEqual(expect.any(Number));
  await mail.startWorker();
  await mail.arrived(1);
  expect(await mail.row()).toMatchObject({ mail_network: null });
});
