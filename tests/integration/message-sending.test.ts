import { generateKeyPairSync } from "node:crypto";
import { dkimVerify } from "mailauth";
import { expect, test } from "vitest";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { retryFailed } from "#core/mail/deliveries.ts";
import { openSender } from "#core/mail/sender.ts";
import { readMessage } from "#core/messages/messages.ts";
import { renderPreview, sendTest } from "#core/messages/preview.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { ORIGIN, SECRET, useMail } from "#tests/support/mail-worker.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany } from "#tests/support/people.ts";

const mail = useMail();

const read = (id: string) => readMessage(mail.db, id);
const isDone = (id: string) => expect.poll(async () => (await read(id))?.state, { timeout: 20_000 }).toBe("done");
const recipients = () => mail.smtp.mails.map(({ to }) => to?.[0]?.address ?? "");

test("everyone in the audience gets the message once, from two workers, and it is done", async () => {
  await addMany(mail.db, 60);
  const id = await sendNews(mail.db, { subject: "News for {{firstName}}" });
  for (let number = 0; number < 2; number += 1) await mail.startWorker({ MAIL_PER_MINUTE: "100000" });
  await isDone(id);
  expect(new Set(recipients()).size).toBe(60);
  expect(mail.smtp.mails).toHaveLength(60);
  expect((await read(id))?.progress).toEqual({ pending: 0, sent: 60, rejected: 0, skipped: 0, failed: 0 });
  const [first] = mail.smtp.mails;
  expect(first?.subject).toBe("News for Ada");
  const header = (name: string) => first?.headers.find(({ key }) => key === name)?.value;
  const unsubscribe = header("list-unsubscribe")?.slice(1, -1) ?? "";
  expect(unsubscribe).toContain(`${ORIGIN}${UNSUBSCRIBE_PATH}/`);
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  for (const part of [first?.html, first?.text]) expect(part).toContain(unsubscribe);
  const unsubscribed = await mail.app.inject({ method: "POST", url: unsubscribe.slice(ORIGIN.length) });
  expect(unsubscribed.statusCode).toBe(200);
  const { rows } = await mail.db.pool.query("select count(*)::integer as people from sign_ups where not newsletter");
  expect(rows[0].people).toBe(1);
});

test("an email that failed is sent again by a retry, with the same Message-ID, and its message is done again", async () => {
  await addMany(mail.db, 1);
  const id = await sendNews(mail.db);
  await mail.startWorker();
  await isDone(id);
  await mail.db.pool.query("update deliveries set state = 'failed'");
  expect(await retryFailed(mail.db, OPERATOR)).toBe(1);
  await mail.arrived(2);
  await isDone(id);
  expect(mail.smtp.mails[1]?.messageId).toBe(mail.smtp.mails[0]?.messageId);
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
  // The link comes on request, and can't be unsubscribed from.
  expect(signedHeaders).toEqual({
    News: true,
    Invitation: true,
    "Confirm your email address": true,
    "Your Farwatch waitlist link": false,
  });
});

test("a test goes to the operator's own address, filled in for a sample person, and is no delivery", async () => {
  const sender = openSender({ url: mail.smtp.url, from: "hello@farwatch.example" });
  const links = { keys: createKeys(SECRET), origin: ORIGIN, inviteUrl: async () => "https://example.com/i" };
  const invitation = { kind: "invitation" as const, subject: "Come in", body: "Hi {{firstName}}: {{inviteUrl}}" };
  expect((await renderPreview(invitation, links)).text).toContain("Hi Ada: https://example.com/i");
  expect(await sendTest(mail.db, OPERATOR, invitation, "me@example.com", { sender, ...links })).toBe("sent");
  sender.close();
  expect(recipients()).toEqual(["me@example.com"]);
  expect(mail.smtp.mails[0]).toMatchObject({
    subject: "[Test] Come in",
    text: expect.stringContaining("Hi Ada: https://example.com/i"),
  });
  expect(await mail.db.selectFrom("deliveries").selectAll().execute()).toEqual([]);
});
