// Past 200 lines, because all rules about reminders are tested with one mail server.
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { retryFailed } from "#core/mail/queue/deliveries.ts";
import { stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { REMINDER } from "#core/mail/recipients.ts";
import { suppressPerson } from "#core/mail/suppression/suppressions.ts";
import { confirmAddress } from "#core/members/member.ts";
import * as states from "#core/messages/message-states.ts";
import * as messages from "#core/messages/messages.ts";
import { type Message, readMessage } from "#core/messages/messages.ts";
import { changeMessage, editMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { startFaultyProxy } from "#tests/support/faulty-proxy.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { addMany } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const mail = useMail();
const read = async () => (await readMessage(mail.db, REMINDER)) as Message;
const turnOn = () => changeMessage(mail.db, OPERATOR, REMINDER, "resume");
const turnOff = () => changeMessage(mail.db, OPERATOR, REMINDER, "pause");
const claim = async (limit = 100) => (await createMailQueue(mail.db, 100_000)(limit)).mails;
const reminded = async () => (await mail.deliver()).map(({ email }) => String(email).split("@")[0]).sort();
const reminders = async () =>
  (await mail.db.pool.query("select state, reason from deliveries where message_id = 0 order by sign_up_id")).rows;
const change = (sql: string, email: string) => mail.db.pool.query(sql, [email]);
const person = async (email: string) =>
  (await change("select id, email_key from sign_ups where email = $1", email)).rows[0];

/** Adds someone who joined this long ago and got the confirmation. */
async function joined(name: string, ago = "3 days"): Promise<string> {
  const email = `${name}@example.com`;
  await mail.join(aSignUp({ email }));
  await mail.deliver();
  await backdate(email, ago);
  return email;
}
const backdate = (email: string, ago: string) =>
  mail.db.pool.query(
    `with person as (update sign_ups set joined_at = now() - $2::interval where email = $1 returning id)
    update deliveries set sent_at = sent_at - $2::interval, tried_at = tried_at - $2::interval from person
    where sign_up_id = id`,
    [email, ago],
  );

let afterMigrations: string | undefined;
beforeAll(async () => {
  afterMigrations = (await read()).state;
});

test("nobody is reminded until an operator turns the reminder on", async () => {
  expect(afterMigrations).toBe("paused");
  await joined("ada");
  expect(await reminded()).toEqual([]);
  expect(await states.changeMessage(mail.db, OPERATOR, REMINDER, "cancel")).toMatchObject({ refused: "illegal" });
});

test("exactly those are reminded who joined long enough ago, got the confirmation and didn't react", async () => {
  await joined("too-old", "30 days 1 minute");
  await joined("oldest", "29 days 23 hours");
  const { id, email_key } = await person(await joined("unsubscribed"));
  await stopConfirmations(mail.db, { id, email_key });
  await confirmAddress(mail.db, (await person(await joined("confirmed"))).id);
  await suppressPerson(mail.db, OPERATOR, (await person(await joined("suppressed"))).id);
  for (const [name, outcome] of [
    ["bounced", "bounced"],
    ["refused", "refused"],
    ["delayed", "delayed"],
  ] as const) {
    await mail.join(aSignUp({ email: `${name}@example.com` }));
    await mail.deliver(outcome);
    await backdate(`${name}@example.com`, "3 days");
    if (outcome === "delayed")
      await mail.db.pool.query("update deliveries set next_try_at = now() + interval '1 hour' where state = 'pending'");
  }
  await joined("second-copy");
  await change(
    "update deliveries set state = 'pending', next_try_at = now() + interval '1 hour' from sign_ups where id = sign_up_id and email = $1",
    "second-copy@example.com",
  );
  await joined("asked-again");
  await change(
    "update deliveries set sent_at = now() from sign_ups where id = sign_up_id and email = $1",
    "asked-again@example.com",
  );
  await joined("due");
  await joined("too-early", "2 days 23 hours");
  await turnOn();
  expect(await reminded()).toEqual(["due", "oldest"]);
  expect(await reminded()).toEqual([]);
  await backdate("too-early@example.com", "3 days");
  expect(await reminded()).toEqual(["too-early"]);
});

test("a reminder that waits is dropped once its person confirms, unsubscribes or joined too long ago", async () => {
  const [first, second, third] = [await joined("first"), await joined("second"), await joined("third")];
  await joined("fourth");
  await turnOn();
  await mail.deliver("delayed");
  await confirmAddress(mail.db, (await person(first)).id);
  await stopConfirmations(mail.db, await person(second));
  await backdate(third, "31 days");
  await mail.pass("1 hour");
  expect(await reminded()).toEqual(["fourth"]);
  expect(await reminders()).toEqual([
    { state: "skipped", reason: "confirmed" },
    { state: "skipped", reason: "unsubscribed" },
    { state: "skipped", reason: "late" },
    { state: "sent", reason: null },
  ]);
});

test("nobody is reminded twice, even if it is turned off and on again, and with two workers", async () => {
  for (let number = 0; number < 30; number += 1) await joined(`p${number}`);
  await turnOn();
  await Promise.all([mail.startWorker(), mail.startWorker()]);
  await expect.poll(() => mail.smtp.mails.length).toBeGreaterThan(5);
  await turnOff();
  await turnOn();
  await mail.arrived(30);
  await mail.db.pool.query("update messages set reminded_to = null where id = 0");
  await pause(1500);
  expect(new Set(mail.smtp.recipients).size).toBe(30);
  expect(mail.smtp.mails).toHaveLength(30);
  expect((await read()).state).toBe("sending");
});

test("a long list is gone through in chunks, and everyone is considered once", async () => {
  await addMany(mail.db, 1000);
  await mail.db.pool.query("update sign_ups set joined_at = now() - interval '40 days'");
  await joined("ada");
  await turnOn();
  expect([await reminded(), await reminded()]).toEqual([[], ["ada"]]);
});

test("an operator's reminder is sent, with the fixed end and one-click unsubscribe, and nothing from the form", async () => {
  const original = await read();
  expect(original).toMatchObject({ subject: "Reminder: confirm your email address", delay: 3 });
  const body = "Still there?\n\n[**Yes**]({{confirmUrl}})";
  await editMessage(mail.db, OPERATOR, original, { subject: "Still there?", body, delay: 5 });
  await joined("early", "4 days");
  await joined("ada", "5 days");
  await mail.db.pool.query(
    "update sign_ups set joined_at = now() - interval '5 days 1 hour' where email like 'early%'",
  );
  await turnOn();
  await mail.startWorker();
  await mail.arrived(2);
  const [sent] = mail.smtp.mails;
  expect(sent?.subject).toBe("Still there?");
  expect(sent?.text).toMatch(
    /^Still there\?\n\nYes: https:\S+membership\S+\n\nYou're getting this email because .*only reminder: unless you confirm, you won't get another email\.\n\nUnsubscribe: https:\S+membership\/unsubscribe\//,
  );
  expect(sent?.headers.find(({ key }) => key === "list-unsubscribe-post")?.value).toBe("List-Unsubscribe=One-Click");
  for (const changes of [
    { body: "Hi {{firstName}} [yes]({{confirmUrl}})" },
    { body: "Hi" },
    { delay: 0 },
    { delay: 26 },
    { delay: null },
  ])
    expect(await messages.editMessage(mail.db, OPERATOR, await read(), changes)).toMatchObject({ refused: "invalid" });
});

test("the spellings of one mailbox share their limit with its reminders, and wait after an unsubscribe", async () => {
  for (const tag of ["a", "b", "c"]) await joined(`ada+${tag}`);
  for (const tag of ["a", "b"]) await joined(`bob+${tag}`);
  const { id, email_key } = await person(await joined("cyd+a"));
  await joined("cyd");
  await stopConfirmations(mail.db, { id, email_key });
  await mail.pass("3 days");
  await turnOn();
  expect(await reminded()).toEqual(["ada+a", "bob+a"]);
  await mail.pass("40 days");
  expect(await reminded()).toEqual([]);
  expect((await reminders()).filter(({ reason }) => reason === "limit")).toHaveLength(4);
});

describe("at most once", () => {
  test("a reminder whose worker was killed isn't sent again, not even by a retry of failed emails", async () => {
    await joined("ada");
    await turnOn();
    expect(await claim()).toHaveLength(1);
    await mail.pass("9 minutes");
    expect(await claim()).toEqual([]);
    expect(await reminders()).toEqual([{ state: "pending", reason: null }]);
    await mail.pass("2 minutes");
    expect(await claim()).toEqual([]);
    expect(await reminders()).toEqual([{ state: "skipped", reason: "interrupted" }]);
    await retryFailed(mail.db, OPERATOR);
    await mail.pass("1 day");
    expect(await claim()).toEqual([]);
  });

  test("a reminder is sent again after a failure that the mail server named, or before the mail's first byte", async () => {
    await joined("ada");
    await turnOn();
    mail.smtp.refuseWith = "451";
    mail.smtp.refuseAt = "DATA";
    await mail.startWorker();
    await expect.poll(() => mail.faults.length).toBeGreaterThan(0);
    mail.smtp.refuseWith = undefined;
    await mail.arrived(1);
    await mail.stopWorkers();
    await joined("bob");
    await mail.startWorker({ SMTP_URL: "smtp://127.0.0.1:1" });
    await expect.poll(reminders).toMatchObject([{ state: "sent" }, { state: "pending" }]);
    await mail.stopWorkers();
    await mail.startWorker();
    await mail.arrived(2);
  });

  test("a reminder isn't sent again if the connection breaks before the server's last response", async () => {
    await joined("ada");
    await turnOn();
    mail.smtp.ackDelayMs = 1000;
    const proxy = await startFaultyProxy(Number(new URL(mail.smtp.url).port));
    await mail.startWorker({ SMTP_URL: `smtp://127.0.0.1:${proxy.port}` });
    await mail.arrived(1);
    proxy.dropConnections();
    await expect.poll(reminders).toEqual([{ state: "skipped", reason: "interrupted" }]);
    await mail.stopWorkers();
    await proxy.stop();
    expect(mail.smtp.mails).toHaveLength(1);
  });

  test("a confirmation is sent again if the connection breaks", async () => {
    mail.smtp.ackDelayMs = 1000;
    const proxy = await startFaultyProxy(Number(new URL(mail.smtp.url).port));
    await mail.join();
    await mail.startWorker({ SMTP_URL: `smtp://127.0.0.1:${proxy.port}` });
    await mail.arrived(1);
    proxy.dropConnections();
    await mail.arrived(2);
    await mail.stopWorkers();
    await proxy.stop();
  });
});

test("the reminder counts who confirmed after it, and pauses itself at too many bounces", async () => {
  await joined("ada");
  await joined("bob");
  await turnOn();
  await mail.deliver();
  await confirmAddress(mail.db, (await person("ada@example.com")).id);
  expect((await read()).results.reminded).toBe(1);
  await mail.db.pool.query(`
    with people as (
      insert into sign_ups (email_key, email, first_name, last_name, newsletter)
      select address, address, 'Ada', 'Lovelace', false
      from generate_series(1, 100) as number, format('x%s@example.com', number) as address returning id
    )
    insert into deliveries (message_id, sign_up_id, state, sent_at) select 0, id, 'bounced', now() from people`);
  await mail.deliver();
  expect(await read()).toMatchObject({ state: "paused", pauseReason: "bounces" });
});
