import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { type ClaimedDelivery, retryFailed } from "#core/mail/queue/deliveries.ts";
import { setNewsletter } from "#core/members/member.ts";
import { readPersonData } from "#core/members/person-data.ts";
import { readMessage } from "#core/messages/messages.ts";
import * as drafts from "#core/messages/send-draft.ts";
import { changeMessage, composeMail, createMessage, draftForRest, sendDraft } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { ORIGIN, SECRET, useMail } from "#tests/support/mail-worker.ts";
import { NEWS, sendNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";

const nobodyLeft = { refused: "invalid", detail: expect.stringContaining("Nobody is left") };
const mail = useMail();

const send = (changes = {}) => sendNews(mail.db, changes);
const read = (id: string) => readMessage(mail.db, id);
/** Claims the emails that a worker would send now. */
const claim = async (limit = 100, perMinute = 100_000) => (await createMailQueue(mail.db, perMinute)(limit)).mails;
const emails = (mails: ClaimedDelivery[]) => mails.map(({ email }) => email).sort();
const skipped = async () =>
  (await mail.db.pool.query("select reason from deliveries where state = 'skipped' order by sign_up_id")).rows;
const addUnconfirmed = async (count: number) => {
  const people = Array.from({ length: count }, (_, at) => ({ email: `new${at}@example.com`, confirmed: false }));
  await addPeople(mail.db, people);
  await mail.db.pool.query("update sign_ups set mail_network = 0 where confirmed_at is null");
};

describe("in the middle of a message", () => {
  test("someone who unsubscribes, leaves or is suppressed gets nothing more, and the reason is recorded", async () => {
    const [first = "", second = "", third = ""] = await addPeople(mail.db, [
      { email: "unsubscribes@example.com" },
      { email: "leaves@example.com" },
      { email: "bounces@example.com" },
      { email: "stays@example.com" },
    ]);
    const id = await send();
    expect(await mail.deliver("delayed")).toHaveLength(4);
    await setNewsletter(mail.db, null, first, false);
    await mail.db.deleteFrom("sign_ups").where("id", "=", second).execute();
    await mail.db.updateTable("sign_ups").set({ suppressed_at: new Date() }).where("id", "=", third).execute();
    await mail.pass("1 hour");
    expect(emails(await mail.deliver())).toEqual(["stays@example.com"]);
    expect((await read(id))?.progress).toMatchObject({ pending: 0, sent: 1, skipped: 2, failed: 0 });
    expect(await skipped()).toEqual([{ reason: "unsubscribed" }, { reason: "suppressed" }]);
  });

  test("someone whose invitation is taken back gets no mail for it, even if another one follows", async () => {
    await addMany(mail.db, 5);
    const first = await send({ kind: "invitation" });
    await changeMessage(mail.db, OPERATOR, first, "pause");
    await uninviteWave(mail.db, OPERATOR, (await read(first))?.waveId ?? "");
    const second = await send({ kind: "invitation", audience: { next: 3 } });
    await changeMessage(mail.db, OPERATOR, first, "resume");
    expect((await claim()).map(({ messageId }) => messageId)).toEqual(Array(3).fill(second));
    expect(await skipped()).toEqual(Array(5).fill({ reason: "uninvited" }));
  });

  test("someone who used their invitation before its email was sent gets none", async () => {
    await addMany(mail.db, 3);
    await send({ kind: "invitation" });
    await sql`update sign_ups set accepted_at = now()`.execute(mail.db);
    expect(await claim()).toEqual([]);
    expect(await skipped()).toEqual(Array(3).fill({ reason: "accepted" }));
  });

  test("a pause stops it until it is resumed, and canceling stops it for good", async () => {
    await addMany(mail.db, 60);
    const id = await send();
    const before = await claim(5);
    await changeMessage(mail.db, OPERATOR, id, "pause");
    expect(await claim()).toEqual([]);
    await changeMessage(mail.db, OPERATOR, id, "resume");
    const after = await claim(50);
    expect(new Set(emails([...before, ...after])).size).toBe(55);
    await changeMessage(mail.db, OPERATOR, id, "cancel");
    expect(await claim()).toEqual([]);
    expect(await read(id)).toMatchObject({ state: "canceled", progress: { pending: 60 } });
  });

  test("people whom a canceled message didn't reach move to a new one, once, and not while a worker has their mail", async () => {
    await addMany(mail.db, 4);
    const id = await send({ kind: "invitation" });
    expect(await drafts.draftForRest(mail.db, OPERATOR, id)).toMatchObject(nobodyLeft);
    const [first] = await claim(1);
    await changeMessage(mail.db, OPERATOR, id, "cancel");
    const { id: rest, ...draft } = await draftForRest(mail.db, OPERATOR, id);
    expect(draft).toMatchObject({ state: "draft", waveId: (await read(id))?.waveId, progress: { pending: 3 } });
    expect(await drafts.draftForRest(mail.db, OPERATOR, id)).toMatchObject(nobodyLeft);
    expect((await read(id))?.progress).toMatchObject({ pending: 1, skipped: 3 });
    await sendDraft(mail.db, MAIL_ON, OPERATOR, { ...draft, id: rest });
    const others = await claim();
    expect(others).toHaveLength(3);
    expect(emails(others)).not.toContain(first?.email);
  });

  test("an email whose worker was killed is sent when its lease ends, with the same Message-ID, and only then", async () => {
    await addMany(mail.db, 1);
    await send();
    const links = { keys: createKeys(SECRET), origin: ORIGIN, postalAddress: "" };
    const messageIds = (mails: ClaimedDelivery[]) =>
      Promise.all(mails.map(async (each) => (await composeMail(each, links)).messageId));
    const first = await claim();
    expect(await claim()).toEqual([]);
    await mail.pass("2 minutes");
    expect(await messageIds(await claim())).toEqual(await messageIds(first));
    expect(first).toHaveLength(1);
  });
});

test("a scheduled message waits for its time, even if it is paused and resumed before", async () => {
  const [first = ""] = await addMany(mail.db, 3);
  const draft = await createMessage(mail.db, OPERATOR, NEWS);
  const inAnHour = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  expect(await drafts.sendDraft(mail.db, MAIL_ON, OPERATOR, draft, inAnHour(-1))).toMatchObject({
    refused: "invalid",
    detail: expect.stringContaining("That time has passed."),
  });
  const { id, state } = await sendDraft(mail.db, MAIL_ON, OPERATOR, draft, inAnHour(1));
  await changeMessage(mail.db, OPERATOR, id, "pause");
  await changeMessage(mail.db, OPERATOR, id, "resume");
  expect([state, (await read(id))?.state, await claim()]).toEqual(["scheduled", "scheduled", []]);
  const subjects = async () => (await readPersonData(mail.db, { id: first })).deliveries.map(({ subject }) => subject);
  expect(await subjects()).toEqual([null]);
  await setNewsletter(mail.db, null, first, false);
  await mail.db.pool.query(`update messages set
    started_at = started_at - interval '1 hour', next_release_at = next_release_at - interval '1 hour' where id = ${id}`);
  expect([await claim(), (await read(id))?.state]).toEqual([expect.objectContaining({ length: 2 }), "sending"]);
  expect(await subjects()).toEqual([draft.subject]);
});

test("confirmations are sent before invitations, and those before announcements", async () => {
  await addMany(mail.db, 10);
  await send();
  await send({ kind: "invitation", audience: { next: 5 } });
  await addUnconfirmed(5);
  const kinds = async () => new Set((await claim(5)).map(({ kind }) => kind));
  expect([await kinds(), await kinds(), await kinds()]).toEqual([
    new Set(["confirmation"]),
    new Set(["invitation"]),
    new Set(["announcement"]),
  ]);
});

// Retries, because a new minute may start between the two claims.
test("a fifth of the mails per minute is kept for confirmations", { retry: 1 }, async () => {
  await addMany(mail.db, 30);
  await send();
  expect(await claim(100, 10)).toHaveLength(8);
  await addUnconfirmed(3);
  expect((await claim(100, 10)).map(({ kind }) => kind)).toEqual(["confirmation", "confirmation"]);
});

test("a message's pace is kept by several workers together", async () => {
  await addMany(mail.db, 60);
  const id = await send({ pace: { count: 720, unit: "hour" } });
  const claimTogether = async () => (await Promise.all([claim(), claim()])).flat().length;
  const wait = (interval: string) =>
    mail.db.pool.query(
      `update messages set next_release_at = next_release_at - interval '${interval}' where id = ${id}`,
    );
  // One email every five seconds, the first immediately.
  expect([await claimTogether(), await claimTogether()]).toEqual([1, 0]);
  await wait("5 seconds");
  expect([await claimTogether(), await claimTogether()]).toEqual([1, 0]);
  // After a longer wait, the message catches up on only five seconds.
  await wait("1 hour");
  expect([await claimTogether(), await claimTogether()]).toEqual([2, 0]);
});

test("a message is done when no delivery is left, and a concurrent retry keeps it sending", async () => {
  await addMany(mail.db, 1);
  const id = await send();
  await mail.deliver("refused");
  const other = await mail.db.pool.connect();
  await other.query("begin");
  // Blocks the retry's last step, which writes its activity.
  await other.query("lock table activity in exclusive mode");
  const retrying = retryFailed(mail.db, OPERATOR);
  await untilBlocked(mail.db);
  await claim();
  await other.query("rollback");
  other.release();
  expect(await retrying).toBe(1);
  const isSending = { state: "sending", progress: { pending: 1, failed: 0 } };
  expect(await read(id)).toMatchObject(isSending);

  await mail.deliver("refused");
  await claim();
  expect(await read(id)).toMatchObject({ state: "done" });
  expect(await retryFailed(mail.db, OPERATOR)).toBe(1);
  expect(await read(id)).toMatchObject(isSending);
});
