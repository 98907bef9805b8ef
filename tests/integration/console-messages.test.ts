import { beforeEach, describe, expect, test } from "vitest";
import { prepareMessage } from "#core/messages/audience.ts";
import type { ConsoleApi } from "#tests/support/console-api.ts";
import { ACTOR, INVITATION, INVITE, NEWS, useMessageConsole } from "#tests/support/console-messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";

const { mail, open } = useMessageConsole();
let api: ConsoleApi;
beforeEach(async () => {
  api = await open();
});

const create = async (changes: object = {}): Promise<string> =>
  (await api.post("/api/messages", { ...NEWS, ...changes })).json.id;
const read = async (id: string) => (await api.get(`/api/messages/${id}`)).json;
const isDone = (id: string) => expect.poll(async () => (await read(id)).state, { timeout: 20_000 }).toBe("done");
const recipients = () => mail.smtp.mails.map(({ to }) => to?.[0]?.address ?? "").sort();

const everyKind = [
  { email: "ada@example.com" },
  { email: "bob@example.com" },
  { email: "unsubscribed@example.com", newsletter: false },
  { email: "unconfirmed@example.com", confirmed: false },
  { email: "rejected@example.com", rejected: true },
];

test("a draft keeps its filters and its pace, and edits replace them", async () => {
  const audience = { campaign: "launch", newsletter: "yes", since: "2026-11-01", until: "2026-11-30T18:30:00.000Z" };
  const id = await create({ audience, pace: { count: 200, unit: "day" } });
  expect(await read(id)).toMatchObject({ state: "draft", audience, pace: { count: 200, unit: "day" } });
  const { kind: _, ...news } = NEWS;
  const edited = await api.post(`/api/messages/${id}`, { ...news, subject: "Soon", audience: { company: "Acme" } });
  expect(edited.json).toMatchObject({ id, subject: "Soon", audience: { company: "Acme" }, pace: null });
  expect((await api.get("/api/messages")).json).toMatchObject([{ id, subject: "Soon", progress: { pending: 0 } }]);
});

test("who gets it, as the split says before, is who got it", async () => {
  await addPeople(mail.db, everyKind);
  const unsaved = await api.get("/api/audience?kind=announcement");
  const id = await create();
  const saved = await api.get(`/api/messages/${id}/audience`);
  expect(saved.json).toEqual(unsaved.json);
  expect(saved.json).toMatchObject({ matching: 5, recipients: 2, added: 0 });
  expect(saved.json.refused).toHaveLength(3);
  for (const reason of ["not subscribed", "address not confirmed", "address rejected"]) {
    expect(saved.json.refused).toContainEqual({ reason, people: 1 });
  }
  expect((await api.post(`/api/messages/${id}/start`)).status).toBe(204);
  await mail.startWorker();
  await isDone(id);
  expect(recipients()).toEqual(["ada@example.com", "bob@example.com"]);
  expect((await read(id)).progress).toEqual({ pending: 0, sent: 2, rejected: 0, skipped: 0, failed: 0 });
});

test("an invitation starts a wave of the next people, and the wave shows how many were mailed", async () => {
  await addPeople(mail.db, [{ email: "unconfirmed@example.com", confirmed: false }]);
  const [first, second] = await addMany(mail.db, 5);
  const id = await create({ ...INVITATION, audience: { next: "2" } });
  const split = await api.get(`/api/messages/${id}/audience`);
  expect(split.json).toMatchObject({ matching: 6, recipients: 2 });
  expect(split.json.refused).toContainEqual({ reason: "after these in line", people: 3 });
  expect((await api.post(`/api/messages/${id}/start`)).status).toBe(204);
  await mail.startWorker(INVITE);
  await isDone(id);
  const { waveId } = await read(id);
  const invited = await api.get(`/api/people?wave=${waveId}`);
  expect(invited.json.people.map((person: { id: string }) => person.id)).toEqual([second, first]);
  expect((await api.get("/api/waves")).json).toMatchObject([
    { id: waveId, invited: 2, confirmed: 2, messageId: id, mailed: 2 },
  ]);
  expect(mail.smtp.mails[0]?.text).toContain("https://app.farwatch.example/join?invitation=");
});

test("the results say why people were skipped or failed", async () => {
  const [ada = ""] = await addPeople(mail.db, everyKind.slice(0, 2));
  const id = await create();
  await api.post(`/api/messages/${id}/start`);
  await mail.db.updateTable("sign_ups").set({ newsletter: false }).where("id", "=", ada).execute();
  mail.smtp.refuseWith = "554 5.7.1 Blocked";
  await mail.startWorker();
  await isDone(id);
  expect((await api.get(`/api/messages/${id}/reasons`)).json).toEqual({
    skipped: [{ reason: "not subscribed", people: 1 }],
    failed: [{ reason: "refused by the mail server", people: 1 }],
  });
});

test("sending goes on after an interruption, with an audience that can't change any more", async () => {
  const ids = await addMany(mail.db, 3);
  const id = await create({ ...INVITATION, audience: { next: "2" } });
  await prepareMessage(mail.db, ACTOR, id);
  const { kind: _, ...text } = { ...INVITATION, subject: "New subject" };
  expect((await api.post(`/api/messages/${id}`, { ...text, audience: {} })).status).toBe(409);
  expect((await api.post(`/api/messages/${id}`, { ...text, audience: { next: "2" } })).status).toBe(200);
  expect((await api.get(`/api/messages/${id}/audience`)).json).toMatchObject({ recipients: 2, added: 2, refused: [] });
  expect((await api.post(`/api/messages/${id}/start`)).status).toBe(204);
  expect((await read(id)).progress.pending).toBe(2);
  expect(ids).toHaveLength(3);
});

describe("a test", () => {
  test("goes to the operator only, with the text that isn't saved yet", async () => {
    await addMany(mail.db, 2);
    const { kind, subject, body } = INVITATION;
    const test = { kind, subject, body, address: "Me@example.com" };
    expect((await api.post("/api/message-tests", test)).json).toEqual({ outcome: "sent" });
    expect(mail.smtp.mails).toMatchObject([{ subject: "[Test] Come in", to: [{ address: "Me@example.com" }] }]);
    expect((await api.get("/api/messages")).json).toEqual([]);
    mail.smtp.refuseWith = "550 5.1.1 No such mailbox";
    expect((await api.post("/api/message-tests", test)).json).toEqual({ outcome: "rejected" });
    expect((await api.post("/api/message-tests", { ...test, address: "me" })).status).toBe(400);
  });
});

test("what is done with a message is recorded under the operator's name", async () => {
  await addMany(mail.db, 1);
  const id = await create();
  const { kind, ...news } = NEWS;
  await api.post(`/api/messages/${id}`, news);
  await api.post("/api/message-tests", { id, kind, subject: "News", body: "Hi", address: "me@example.com" });
  for (const action of ["start", "pause", "resume", "cancel"]) await api.post(`/api/messages/${id}/${action}`);
  const { rows } = await mail.db.pool.query(
    "select action, actor, via from activity where message_id = $1 order by id",
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "create message",
    "edit message",
    "test message",
    "send message",
    "pause message",
    "resume message",
    "cancel message",
  ]);
  for (const row of rows) expect(row).toMatchObject({ actor: "ada", via: "console" });
});

describe("a preview", () => {
  const FRAME = { "sec-fetch-dest": "iframe", authorization: "" };

  test("is for a frame of the console's page, and can load and run nothing", async () => {
    const body = '<script>alert(1)</script> ![x](https://example.com/x.png) <img src=x onerror="alert(1)">';
    const { json } = await api.post("/api/previews", { kind: "announcement", subject: "Hi", body, scheme: "dark" });
    const frame = await api.get(json.path, FRAME);
    expect(frame).toMatchObject({ status: 200, text: expect.stringContaining("@media all {") });
    expect(frame.text).not.toMatch(/<script|<img/);
    const policy = String(frame.headers["content-security-policy"]);
    expect(policy).toMatch(/default-src 'none'.*sandbox$/);
    expect(policy).not.toMatch(/allow-|script-src|img-src/);
    expect((await api.get("/")).headers["content-security-policy"]).not.toContain("unsafe-inline");
  });

  test("is there for its id only", async () => {
    await api.post("/api/previews", { ...NEWS, scheme: "light" });
    expect((await api.get("/preview/1", FRAME)).status).toBe(404);
  });
});
