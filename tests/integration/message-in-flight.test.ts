import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { uninvitePerson } from "#core/invitations/uninvite.ts";
import { createMailQueue } from "#core/mail/choose-mails.ts";
import { setNewsletter } from "#core/members/member.ts";
import { cancelMessage, pauseMessage, resumeMessage } from "#core/messages/message-states.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMessageSending } from "#tests/support/message-sending.ts";
import { addMany, addPeople } from "#tests/support/people.ts";

const { mail, send, recipients, subjects, stateOf, progressOf, isDone } = useMessageSending();

describe("in the middle of a message", () => {
  test("someone who unsubscribes, leaves or is rejected gets nothing more, and the reason is recorded", async () => {
    const ids = await addPeople(mail.db, [
      { email: "unsubscribes@example.com" },
      { email: "leaves@example.com" },
      { email: "bounces@example.com" },
      { email: "stays@example.com" },
    ]);
    mail.smtp.refuseWith = "451";
    const id = await send();
    await mail.startWorker();
    await expect.poll(() => mail.faults.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
    await setNewsletter(mail.db, null, ids[0] ?? "", false);
    await mail.db
      .deleteFrom("sign_ups")
      .where("id", "=", ids[1] ?? "")
      .execute();
    await mail.db
      .updateTable("sign_ups")
      .set({ rejected_at: new Date() })
      .where("id", "=", ids[2] ?? "")
      .execute();
    mail.smtp.refuseWith = undefined;
    await isDone(id);
    expect(recipients()).toEqual(["stays@example.com"]);
    expect(await progressOf(id)).toEqual({ pending: 0, sent: 1, rejected: 0, skipped: 2, failed: 0 });
    const { rows } = await mail.db.pool.query(
      "select reason from deliveries where state = 'skipped' order by sign_up_id",
    );
    expect(rows).toEqual([{ reason: "unsubscribed" }, { reason: "rejected" }]);
    mail.faults.splice(0);
  });

  test("someone whose invitation is taken back gets no mail, and the reason is recorded", async () => {
    const [first = ""] = await addPeople(mail.db, [
      { email: "uninvited@example.com" },
      { email: "invited@example.com" },
    ]);
    const id = await send({ kind: "invitation" });
    await uninvitePerson(mail.db, OPERATOR, first);
    await mail.startWorker();
    await isDone(id);
    expect(recipients()).toEqual(["invited@example.com"]);
    const { rows } = await mail.db.pool.query("select reason from deliveries where state = 'skipped'");
    expect(rows).toEqual([{ reason: "uninvited" }]);
  });

  test("a pause stops it, and it goes on with the rest when it is resumed", async () => {
    await addMany(mail.db, 60);
    mail.smtp.ackDelayMs = 50;
    const id = await send();
    await mail.startWorker({ MAIL_PER_MINUTE: "100000" });
    await expect.poll(() => mail.smtp.mails.length, { timeout: 10_000 }).toBeGreaterThan(5);
    await pauseMessage(mail.db, OPERATOR, id);
    await pause(1000);
    const sent = mail.smtp.mails.length;
    expect(sent).toBeLessThan(60);
    await pause(1500);
    expect(mail.smtp.mails).toHaveLength(sent);
    await resumeMessage(mail.db, OPERATOR, id);
    await isDone(id);
    expect(mail.smtp.mails).toHaveLength(60);
    expect(new Set(recipients()).size).toBe(60);
  });

  test("canceling stops it for good", async () => {
    await addMany(mail.db, 60);
    mail.smtp.ackDelayMs = 50;
    const id = await send();
    await mail.startWorker({ MAIL_PER_MINUTE: "100000" });
    await expect.poll(() => mail.smtp.mails.length, { timeout: 10_000 }).toBeGreaterThan(5);
    await cancelMessage(mail.db, OPERATOR, id);
    await pause(1000);
    const sent = mail.smtp.mails.length;
    await pause(1500);
    expect(mail.smtp.mails).toHaveLength(sent);
    expect(sent).toBeLessThan(60);
    expect(await stateOf(id)).toBe("canceled");
  });
});

test("confirmations are sent before invitations, and those before announcements", async () => {
  await addMany(mail.db, 30);
  await send({ subject: "Announcement" });
  await send({ kind: "invitation", subject: "Invitation", audience: { next: 25 } });
  for (let number = 0; number < 60; number += 1) await mail.join();
  await mail.startWorker();
  await mail.arrived(115);
  const kinds = subjects().map((subject) => (subject?.startsWith("Confirm") ? "Confirmation" : subject));
  // A few are sent at the same time, so that kinds can mix.
  expect(kinds.slice(0, 55)).toEqual(Array(55).fill("Confirmation"));
  const messages = kinds.filter((kind) => kind !== "Confirmation");
  expect(messages.slice(0, 20)).toEqual(Array(20).fill("Invitation"));
  expect(messages.slice(-25)).toEqual(Array(25).fill("Announcement"));
});

test("a fifth of the mails per minute is kept for confirmations", async () => {
  // Not across the turn of a minute, which starts a new limit.
  const secondsLeft = 60 - new Date().getSeconds();
  if (secondsLeft < 12) await pause(secondsLeft * 1000);
  await addMany(mail.db, 30);
  await send();
  await mail.startWorker({ MAIL_PER_MINUTE: "10" });
  await mail.arrived(8);
  await pause(1500);
  expect(mail.smtp.mails).toHaveLength(8);
  for (let number = 0; number < 3; number += 1) await mail.join();
  await mail.arrived(10);
  expect(subjects().filter((subject) => subject?.startsWith("Confirm"))).toHaveLength(2);
});

test("a message's pace is kept by several workers together", async () => {
  await addMany(mail.db, 60);
  await send({ pace: { count: 7200, unit: "hour" } });
  let released = 0;
  const until = performance.now() + 2500;
  async function claimRepeatedly(): Promise<void> {
    const claimMails = createMailQueue(mail.db, 100_000);
    while (performance.now() < until) {
      const { mails } = await claimMails(5);
      released += mails.length;
    }
  }
  await Promise.all([claimRepeatedly(), claimRepeatedly()]);
  // By the clock that keeps the pace.
  const { rows } = await mail.db.pool.query(
    "select extract(epoch from clock_timestamp() - started_at)::float as seconds from messages where kind = 'announcement'",
  );
  const [{ seconds }] = rows;
  // Two a second, the first one at once.
  expect(released).toBeLessThanOrEqual(1 + 2 * seconds);
  expect(released).toBeGreaterThanOrEqual(2 * seconds - 1);
});
