import { beforeEach, describe, expect, test } from "vitest";
import type { ConsoleApi } from "#tests/support/console-api.ts";
import { INVITATION, NEWS, useMessageConsole } from "#tests/support/console-messages.ts";
import { addMany } from "#tests/support/people.ts";

const { mail, open } = useMessageConsole();
let api: ConsoleApi;
beforeEach(async () => {
  api = await open();
});

const create = async (): Promise<string> => (await api.post("/api/messages", NEWS)).json.id;
const read = async (id: string) => (await api.get(`/api/messages/${id}`)).json;

describe("refuses", () => {
  test.each([
    ["an unknown placeholder", { subject: "Hi {{nickname}}" }, 422, "Unknown placeholder {{nickname}}"],
    ["an empty body", { body: " " }, 422, "needs a body"],
    ["a limit on an announcement", { audience: { next: "5" } }, 422, "Only an invitation can be limited"],
    // Dropped, it would write to everyone.
    ["an unknown filter", { audience: { campain: "launch" } }, 400, "aren't valid"],
    ["a filter without a value", { audience: { campaign: "" } }, 400, "aren't valid"],
    ["a character that can't be stored", { body: "a\0b" }, 400, "aren't valid"],
    ["a pace of zero", { pace: { count: 0, unit: "day" } }, 400, "aren't valid"],
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

  test("what a message's state doesn't allow, and changes nothing", async () => {
    await addMany(mail.db, 1);
    const id = await create();
    for (const action of ["pause", "resume"]) {
      expect((await api.post(`/api/messages/${id}/${action}`)).status, action).toBe(409);
    }
    await api.post(`/api/messages/${id}/start`);
    const { kind: _, ...news } = NEWS;
    expect(await api.post(`/api/messages/${id}`, { ...news, subject: "Too late" })).toMatchObject({ status: 409 });
    expect((await api.post(`/api/messages/${id}/start`)).status).toBe(409);
    expect((await api.post(`/api/messages/${id}/pause`)).status).toBe(204);
    expect((await api.post(`/api/messages/${id}/pause`)).status).toBe(409);
    expect((await api.post(`/api/messages/${id}/resume`)).status).toBe(204);
    expect((await api.post(`/api/messages/${id}/cancel`)).status).toBe(204);
    expect((await api.post(`/api/messages/${id}/resume`)).status).toBe(409);
    expect(await read(id)).toMatchObject({ state: "canceled", subject: "News" });
  });

  test("to send a message to nobody", async () => {
    const id = await create();
    const { status, text } = await api.post(`/api/messages/${id}/start`);
    expect({ status, text }).toEqual({ status: 409, text: expect.stringContaining("Nobody would get this message") });
    expect(await read(id)).toMatchObject({ state: "draft", isPrepared: false });
  });

  test("the built-in messages, and those that don't exist", async () => {
    for (const id of ["1", "2", "999999"]) {
      expect((await api.get(`/api/messages/${id}`)).status).toBe(404);
      for (const action of ["start", "pause", "cancel"]) {
        expect((await api.post(`/api/messages/${id}/${action}`)).status).toBeGreaterThanOrEqual(404);
      }
    }
    const { rows } = await mail.db.pool.query("select state from messages where id <= 2");
    expect(rows).toEqual([{ state: "sending" }, { state: "sending" }]);
  });
});

test("without mail settings it says so, and a draft can still be written and previewed", async () => {
  await addMany(mail.db, 1);
  api = await open({ env: {} });
  expect((await api.get("/api/message-settings")).json).toEqual({ isMailed: false, invitation: null });
  const id = await create();
  expect(await api.post(`/api/messages/${id}/start`)).toMatchObject({
    status: 409,
    json: { detail: expect.stringContaining("Mail is off") },
  });
  expect((await api.post("/api/messages", INVITATION)).json.detail).toContain("needs INVITE_URL and INVITE_KEYS");
  expect((await api.get(`/api/messages/${id}/preview?scheme=light`)).json.text).toContain("Hi Ada");
});

test("a read-only console shows a message, its audience and its preview, and has no route that changes it", async () => {
  const id = await create();
  const readOnly = await open({ isReadOnly: true });
  for (const path of ["", "/audience", "/reasons", "/preview?scheme=dark"]) {
    expect((await readOnly.get(`/api/messages/${id}${path}`)).status, path).toBe(200);
  }
  for (const path of [`/${id}`, `/${id}/start`, `/${id}/cancel`, ""]) {
    expect((await readOnly.post(`/api/messages${path}`, NEWS)).status, path).toBe(404);
  }
  expect((await readOnly.post("/api/previews", { ...NEWS, scheme: "light" })).status).toBe(404);
});
