import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "#core/config/config.ts";
import { type ConsoleApi, openConsoleApi } from "#tests/support/console-api.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { INVITE, useMail } from "#tests/support/mail-worker.ts";
import { addMany, addPeople } from "#tests/support/people.ts";

const mail = useMail();
const NEWS = { kind: "announcement", subject: "News", body: "Hi {{firstName}}", audience: {}, pace: null };
const { kind: _, ...text } = NEWS;
const TEXT = { ...text, version: 1 };
const INVITATION = { ...NEWS, kind: "invitation", subject: "Come in", body: "[Join]({{inviteUrl}})" };

let api: ConsoleApi;
async function open(settings: Record<string, string>): Promise<void> {
  const { keys, mail: mailConfig, invitations } = readConfig(settings);
  api = await openConsoleApi({ db: mail.db, keys, mail: mailConfig, invitations });
}
beforeEach(() => open({ ...mail.settings(), ...INVITE }));
afterEach(() => api.close());

const create = async (changes: object = {}): Promise<string> =>
  (await api.post("/api/messages", { ...NEWS, ...changes })).json.id;
const read = async (id: string) => (await api.get(`/api/messages/${id}`)).json;
const act = async (id: string, action: string, version = 1) =>
  (await api.post(`/api/messages/${id}/${action}`, { version })).status;

test("a draft keeps its filters and its pace, and edits replace them", async () => {
  const audience = { campaign: "launch", newsletter: "yes", since: "2026-11-01", until: "2026-11-30T18:30:00.000Z" };
  const id = await create({ audience, pace: { count: 200, unit: "day" } });
  expect(await read(id)).toMatchObject({ state: "draft", audience, pace: { count: 200, unit: "day" } });
  const edited = await api.post(`/api/messages/${id}`, { ...TEXT, subject: "Soon", audience: { company: "Acme" } });
  expect(edited.json).toMatchObject({ id, subject: "Soon", audience: { company: "Acme" }, pace: null });
  expect((await api.get("/api/messages")).json).toMatchObject([{ id, subject: "Soon", progress: { pending: 0 } }]);
});

test("the split of a saved or unsaved draft and the results of a message say why people don't get it", async () => {
  await addPeople(mail.db, [
    { email: "ada@example.com" },
    { email: "bob@example.com" },
    { email: "unconfirmed@example.com", confirmed: false },
  ]);
  const split = (await api.get("/api/audience?kind=announcement")).json;
  expect(split).toEqual({ matching: 3, recipients: 2, refused: [{ reason: "address not confirmed", people: 1 }] });
  const id = await create();
  expect((await api.get(`/api/messages/${id}/audience`)).json).toEqual(split);
  expect(await act(id, "start")).toBe(204);
  await mail.db.pool.query("update sign_ups set newsletter = false where email = 'bob@example.com'");
  await mail.deliver("refused");
  expect((await api.get(`/api/messages/${id}/reasons`)).json).toEqual({
    skipped: [{ reason: "not subscribed", people: 1 }],
    failed: [{ reason: "refused by the mail server", people: 1 }],
  });
});

test("each action on a message is recorded under the operator's name, and refused in the wrong state", async () => {
  await addMany(mail.db, 1);
  const id = await create();
  const test = { id, kind: "announcement", subject: "News", body: "Hi", address: "me@example.com" };
  await api.post(`/api/messages/${id}`, TEXT);
  await api.post("/api/message-tests", test);
  const actions = ["pause", "start", "start", "pause", "pause", "resume", "cancel", "resume"];
  const statuses: number[] = [];
  for (const action of actions) statuses.push(await act(id, action, 2));
  expect(statuses).toEqual([409, 204, 409, 204, 409, 204, 204, 409]);
  expect((await api.post(`/api/messages/${id}`, { ...TEXT, subject: "Too late" })).status).toBe(409);
  expect(await read(id)).toMatchObject({ state: "canceled", subject: "News" });
  const { rows } = await mail.db.pool.query(
    "select action, actor, via from activity where message_id = $1 order by id",
    [id],
  );
  const recorded = ["create", "edit", "test", "send", "pause", "resume", "cancel"];
  expect(rows).toEqual(recorded.map((action) => ({ action: `${action} message`, actor: "ada", via: "console" })));
});

test("a test goes to the operator only, with the text that isn't saved yet", async () => {
  const { kind, subject, body } = INVITATION;
  const test = { kind, subject, body, address: "Me@example.com" };
  expect((await api.post("/api/message-tests", test)).json).toEqual({ outcome: "sent" });
  expect(mail.smtp.mails).toMatchObject([{ subject: "[Test] Come in", to: [{ address: "Me@example.com" }] }]);
  expect((await api.get("/api/messages")).json).toEqual([]);
  mail.smtp.refuseWith = "550 5.1.1 No such mailbox";
  expect((await api.post("/api/message-tests", test)).json).toEqual({ outcome: "bounced" });
  expect((await api.post("/api/message-tests", { ...test, address: "me" })).status).toBe(400);
  await mail.smtp.stop();
  expect((await api.post("/api/message-tests", test)).json).toEqual({ outcome: "failed" });
});

test("a preview opens only in a frame of the console's page, by its id, and can't load or run anything", async () => {
  const frame = { "sec-fetch-dest": "iframe", authorization: "" };
  const body = '<script>alert(1)</script> <img src=x onerror="alert(1)">';
  const { json } = await api.post("/api/previews", { kind: "announcement", subject: "Hi", body, scheme: "dark" });
  const page = await api.get(json.path, frame);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining("@media all {") });
  expect(page.text).not.toMatch(/<script|<img/);
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toMatch(/default-src 'none'.*sandbox$/);
  expect(policy).not.toMatch(/allow-|script-src|img-src/);
  expect((await api.get("/")).headers["content-security-policy"]).not.toContain("unsafe-inline");
  expect((await api.get("/preview/1", frame)).status).toBe(404);
});

describe("refuses", () => {
  test.each([
    ["an unknown placeholder", { subject: "Hi {{nickname}}" }, 422, "Unknown placeholder {{nickname}}"],
    // If this filter were ignored, everyone would get the message.
    ["an unknown filter", { audience: { campain: "launch" } }, 400, "are invalid"],
    ["a filter without a value", { audience: { campaign: "" } }, 400, "are invalid"],
    ["a character that can't be stored", { body: "a\0b" }, 400, "are invalid"],
    ["a pace of zero", { pace: { count: 0, unit: "day" } }, 400, "are invalid"],
  ])("a draft with %s", async (_name, changes, status, detail) => {
    const response = await api.post("/api/messages", { ...NEWS, ...changes });
    expect(response).toMatchObject({ status, json: { detail: expect.stringContaining(detail) } });
    expect((await api.get("/api/messages")).json).toEqual([]);
  });

  test("a misspelled filter when it counts, lists or exports", async () => {
    expect((await api.get("/api/audience?kind=announcement&campain=launch")).status).toBe(400);
    expect((await api.get("/api/people?campain=launch")).status).toBe(400);
    expect((await api.post("/api/exports", { format: "csv", campain: "launch" })).status).toBe(400);
  });

  test("to send a message to nobody", async () => {
    const id = await create();
    const { status, text } = await api.post(`/api/messages/${id}/start`, { version: 1 });
    expect({ status, text }).toEqual({ status: 409, text: expect.stringContaining("Nobody would get this message") });
    const stale = await api.post(`/api/messages/${id}/start`, { version: 2 });
    expect(stale).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("because someone edited it") },
    });
    expect(await read(id)).toMatchObject({ state: "draft", isPrepared: false });
  });

  test("the built-in messages, and those that don't exist", async () => {
    for (const id of ["2", "999999"]) {
      expect((await api.get(`/api/messages/${id}`)).status).toBe(404);
      expect([await act(id, "start"), await act(id, "pause"), await act(id, "cancel")]).toEqual([404, 409, 409]);
    }
  });
});

test("if the servers send no mail it says so, and a draft can still be written and previewed", async () => {
  await addMany(mail.db, 1);
  await api.close();
  await switchMail(mail.db, false);
  // The team's console has mail settings for previews even if the servers send no mail.
  await open(mail.settings());
  const { json: settings } = await api.get("/api/message-settings");
  expect(settings).toMatchObject({ isMailed: false, canTest: false, perMinute: 480, invitation: null });
  expect(await act("0", "resume")).toBe(409);
  const id = await create();
  expect(await api.post(`/api/messages/${id}/start`, { version: 1 })).toMatchObject({
    status: 409,
    json: { detail: expect.stringContaining("Mail is off") },
  });
  expect((await api.post("/api/messages", INVITATION)).json.detail).toContain("needs INVITE_URL and INVITE_KEYS");
  expect((await api.get(`/api/messages/${id}/preview?scheme=light`)).json.text).toContain("Hi Ada");
});
