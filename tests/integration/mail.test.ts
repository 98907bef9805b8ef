import { generateKeyPairSync } from "node:crypto";
import { dkimVerify } from "mailauth";
import type { SMTPServerOptions } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { retryFailed } from "#core/mail/queue/deliveries.ts";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { ORIGIN, useMail } from "#tests/support/mail-worker.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";

const mail = useMail();

test("a sign-up gets an email whose link opens the member page, where the address is confirmed", async () => {
  await mail.startWorker();
  const ada = aSignUp({ firstName: "BUY NOW", lastName: "https://spam.example", company: "Cheap pills" });
  await mail.join(ada);
  await mail.arrived(1);
  const [confirmation] = mail.smtp.mails;
  expect(confirmation?.to).toEqual([{ address: ada.email, name: "" }]);
  // The address is the only form input in the email.
  for (const part of [confirmation?.subject, confirmation?.text, confirmation?.html])
    expect(part).not.toMatch(/BUY|spam|pills/);
  const [page = ""] = confirmation?.text?.match(/https:\S+membership\S+/) ?? [];
  expect(confirmation?.html).toContain(page);
  const header = (name: string) => confirmation?.headers.find(({ key }) => key === name)?.value;
  const unsubscribe = header("list-unsubscribe")?.slice(1, -1) ?? "";
  expect(unsubscribe).toMatch(`${ORIGIN}${UNSUBSCRIBE_PATH}/`);
  expect(confirmation?.text).toContain(unsubscribe);
  expect(confirmation?.html).toContain(unsubscribe);
  expect(unsubscribe).not.toContain(page.split("/").at(-1));
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");

  const path = page.slice(ORIGIN.length);
  expect((await mail.app.inject(path)).statusCode).toBe(200);
  expect((await mail.row()).confirmed_at).toBeNull();
  expect((await mail.app.inject(unsubscribe.slice(ORIGIN.length))).statusCode).toBe(200);
  await mail.app.inject({ method: "POST", url: `${path}/confirm` });
  expect((await mail.row()).confirmed_at).not.toBeNull();
});

test("everyone in the audience gets the message once, from two workers, and it is done", async () => {
  await addMany(mail.db, 60);
  const id = await sendNews(mail.db, { subject: "News for {{firstName}}" });
  for (let number = 0; number < 2; number += 1) await mail.startWorker({ MAIL_PER_MINUTE: "100000" });
  await expect.poll(async () => (await readMessage(mail.db, id))?.state, { timeout: 20_000 }).toBe("done");
  expect(new Set(mail.smtp.mails.map(({ to }) => to?.[0]?.address)).size).toBe(60);
  expect(mail.smtp.mails).toHaveLength(60);
  expect((await readMessage(mail.db, id))?.progress).toMatchObject({ pending: 0, sent: 60, skipped: 0, failed: 0 });
  expect(mail.smtp.mails[0]?.subject).toBe("News for Ada");
  const feedbackIds = mail.smtp.mails.map(({ headers }) => headers.find(({ key }) => key === "feedback-id")?.value);
  expect(new Set(feedbackIds)).toEqual(new Set([`${id}:announcement:farwatchexample`]));
});

test("every kind of mail is signed with DKIM, its unsubscribe headers included", async () => {
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const resolver = async () => [
    [`v=DKIM1; k=rsa; p=${key.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`],
  ];
  await addMany(mail.db, 1);
  await sendNews(mail.db);
  await sendNews(mail.db, { kind: "invitation", subject: "Invitation" });
  await mail.join();
  await mail.app.inject({
    method: "POST",
    url: MEMBERSHIP_PATH,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "email=p1@example.com",
  });
  await mail.startWorker({
    DKIM_DOMAIN: "farwatch.example",
    DKIM_SELECTOR: "one",
    DKIM_KEY: key.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  });
  await mail.arrived(4);
  const signedHeaders: Record<string, boolean> = {};
  for (const [index, raw] of (await mail.smtp.inbox()).entries()) {
    const { results } = await dkimVerify(raw, { resolver });
    expect(results.map(({ status }) => status.result)).toEqual(["pass"]);
    const signed = results[0]?.signingHeaders?.keys.toLowerCase();
    signedHeaders[mail.smtp.mails[index]?.subject ?? ""] = signed?.includes("list-unsubscribe-post") ?? false;
  }
  // The waitlist link is emailed on request, so without unsubscribe headers.
  expect(signedHeaders).toEqual({
    News: true,
    Invitation: true,
    "Confirm your email address": true,
    [`Your ${brand.name} waitlist link`]: false,
  });
});

describe("when the mail server fails", () => {
  test("retries after a temporary failure, and reports an error without the address", async () => {
    mail.smtp.refuseWith = "451";
    await mail.startWorker();
    await mail.join();
    await expect.poll(() => mail.faults.length, { timeout: 10_000 }).toBeGreaterThan(0);
    mail.smtp.refuseWith = undefined;
    await mail.arrived(1);
    expect((await mail.row()).suppressed_at).toBeNull();
    expect(new Set(mail.faults)).toEqual(new Set(["Error: The mail server 127.0.0.1 failed: EENVELOPE 451"]));
  });

  test("reports why it can't connect", async () => {
    await mail.startWorker({ SMTP_URL: "smtp://127.0.0.1:1" });
    await mail.join();
    await expect
      .poll(() => mail.faults, { timeout: 10_000 })
      .toContain("Error: The mail server 127.0.0.1 failed: ECONNREFUSED");
  });

  test("reports a wrong password once, and shows it as the last error until emails are sent", async () => {
    const onAuth: SMTPServerOptions["onAuth"] = (_login, _session, done) => done(new Error("Wrong"));
    const server = await startSmtpServer({ onAuth, onMail: async () => {} });
    onTestFinished(server.stop);
    for (let people = 0; people < 3; people += 1) await mail.join();
    await mail.startWorker({ SMTP_URL: server.url.replace("//", "//user:wrong@") });
    const reasons = async () => (await mail.confirmations()).map(({ reason }) => reason);
    await expect.poll(reasons).toEqual(Array(3).fill("EAUTH 535"));
    const firstTry = Date.now();
    const triedAt = async () => (await mail.confirmations())[0]?.tried_at?.getTime();
    await expect.poll(triedAt, { timeout: 10_000 }).toBeGreaterThan(firstTry);
    await mail.stopWorkers();
    expect(mail.faults.filter((fault) => fault.includes("EAUTH"))).toHaveLength(1);
    await mail.pass("5 minutes");
    const failing = await readMailStatus(mail.db);
    expect(failing.lastFailure?.reason).toBe("EAUTH 535");
    expect(failing.failingSeconds).toBeGreaterThanOrEqual(300);
    await mail.startWorker();
    await mail.arrived(3);
    await mail.stopWorkers();
    expect(await readMailStatus(mail.db)).toMatchObject({ lastFailure: null, failingSeconds: 0 });
  });

  test("a mailbox that stays full isn't a failing mail server", async () => {
    await mail.join();
    await mail.deliver("delayed");
    await mail.db.pool.query("update deliveries set reason = 'EENVELOPE 452 4.2.2'");
    await mail.pass("5 minutes");
    expect(await readMailStatus(mail.db)).toMatchObject({
      lastFailure: { reason: "EENVELOPE 452 4.2.2" },
      failingSeconds: 0,
    });
  });

  test("gives up after two days and keeps the email, which can be retried", async () => {
    await mail.join();
    await mail.deliver("delayed");
    expect(await mail.queue()).toEqual({ waiting: 1, dead: 0 });
    await mail.pass("2 days");
    await mail.deliver("delayed");
    expect(await mail.queue()).toEqual({ waiting: 0, dead: 1 });
    expect(await mail.confirmations()).toMatchObject([{ state: "failed", reason: "expired", sent_at: null }]);
    expect(await retryFailed(mail.db, OPERATOR)).toBe(1);
    expect(await mail.deliver()).toHaveLength(1);
    expect(await mail.queue()).toEqual({ waiting: 0, dead: 0 });
  });
});

test("a mail that was accepted isn't sent again while the database can't record it", async () => {
  // Unlike a table, a sequence isn't rolled back with a transaction.
  await mail.db.pool.query(`
    create sequence attempts;
    create function fail() returns trigger language plpgsql as $$ begin
      perform nextval('attempts');
      raise 'a primary that is gone' using errcode = 'admin_shutdown';
    end $$;
    create trigger fail before update on deliveries for each row when (new.state = 'sent') execute function fail()`);
  await mail.startWorker();
  await mail.join();
  await mail.arrived(1);
  const attempts = async () => Number((await mail.db.pool.query("select last_value from attempts")).rows[0].last_value);
  await expect.poll(attempts, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  await mail.db.pool.query("drop trigger fail on deliveries; drop function fail");
  await expect.poll(async () => (await mail.confirmations())[0]?.state, { timeout: 5000 }).toBe("sent");
  expect(mail.smtp.mails).toHaveLength(1);
});
