import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startConsole } from "#console/start.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { ACTOR, type ConsoleApi, openConsoleApi, WITHOUT_MAIL } from "#tests/support/console-api.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { addMany } from "#tests/support/people.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();
const READ_TIMEOUT_MS = 500;
let reads: Database;
const opened: ConsoleApi[] = [];
const open = async () => {
  opened.push(await openConsoleApi({ ...context, reads, ...WITHOUT_MAIL }));
  return opened.at(-1) as ConsoleApi;
};
beforeAll(() => {
  reads = connect(context.url, { timeoutMs: READ_TIMEOUT_MS });
});
afterAll(async () => {
  for (const each of opened) await each.close();
  await reads.destroy();
});

/** While the list is locked, every statement that reads it waits. */
const whileLocked = <Result>(work: () => Promise<Result>) =>
  inTransaction(context.db.pool, async (client) => {
    await client.query("lock table sign_ups");
    return work();
  });
const waiting = async () =>
  (await reads.pool.query("select from pg_locks where not granted and relation = 'sign_ups'::regclass")).rowCount;

const readRecorded = async () => (await context.db.pool.query("select actor, action, count from activity")).rows;

test("a slow list, count or preview times out with advice, but an export doesn't", async () => {
  await addMany(context.db, 3);
  const api = await open();
  const { id } = (await api.post("/api/exports", { format: "csv" })).json;
  const { exported } = await whileLocked(async () => {
    const exported = api.get(`/api/exports/${id}/file`);
    for (const path of [
      "people",
      "people/count?confirmed=yes",
      "audience?kind=announcement",
      "set-aside/preview?confirmed=no",
    ])
      expect((await api.get(`/api/${path}`)).json, path).toMatchObject({
        status: 503,
        detail: "This takes too long. Narrow the filters.",
      });
    return { exported };
  });
  expect((await exported).text).toContain("p3@example.com");
});

test("one session reads one list and one count at a time, the next wait, and another session doesn't", async () => {
  const [ada, bob] = [await open(), await open()];
  const read = (api: ConsoleApi) =>
    ["", "?confirmed=yes", "/count?confirmed=yes", "/count?confirmed=no"].map((query) =>
      api.get(`/api/people${query}`),
    );
  const { all } = await whileLocked(async () => {
    const adas = read(ada);
    await expect.poll(waiting).toBe(2);
    const all = [...adas, ...read(bob)];
    await expect.poll(waiting).toBe(4);
    return { all };
  });
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  const many = await whileLocked(async () => Array.from({ length: 12 }, () => ada.get("/api/people")));
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test("a queued read whose browser has gone is skipped", async () => {
  const user = { actor: ACTOR, role: "viewer" } as const;
  const { url, stop } = await startConsole({ ...context, reads, ...WITHOUT_MAIL, user, port: 0 });
  onTestFinished(stop);
  const { origin, host, hash } = new URL(url);
  const headers = { host, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const body = JSON.stringify({ token: hash.slice(1) });
  const { id } = await (await fetch(`${origin}/api/session`, { method: "POST", headers, body })).json();
  const read = (signal?: AbortSignal) =>
    fetch(`${origin}/api/people`, { headers: { ...headers, authorization: `Bearer ${id}` }, signal: signal ?? null });
  await whileLocked(async () => {
    const first = read();
    await expect.poll(waiting).toBe(1);
    const typing = new AbortController();
    const gone = Array.from({ length: 8 }, () => read(typing.signal).catch(() => {}));
    await setTimeout(100);
    typing.abort();
    const startedAt = Date.now();
    expect((await read()).status).toBe(503);
    expect(Date.now() - startedAt).toBeLessThan(4 * READ_TIMEOUT_MS);
    await Promise.all([first, ...gone]);
  });
});

test("reading many people is recorded by the thousand, and limited by the hour", async () => {
  await addMany(context.db, 20_100);
  const api = await open();
  async function readAll() {
    for (let place = ""; ; ) {
      const { status, json } = await api.get(`/api/people?limit=500${place}`);
      if (!json.next) return status;
      place = `&before=${json.next}`;
    }
  }
  await api.get("/api/people?limit=500");
  expect(await readRecorded()).toEqual([]);
  expect(await readAll()).toBe(429);
  expect(await readRecorded()).toEqual(Array(20).fill({ actor: "ada", action: "read", count: 1000 }));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await api.get("/api/people")).status).toBe(200);
});

test("opening people one by one counts like listing them", async () => {
  const [oldest] = await addMany(context.db, 1000);
  const api = await open();
  const { next } = (await api.get("/api/people?limit=500")).json;
  await api.get(`/api/people?limit=499&before=${next}`);
  for (let time = 0; time < 2; time += 1) expect((await api.get(`/api/people/${oldest}`)).status).toBe(200);
  expect(await readRecorded()).toEqual([{ actor: "ada", action: "read", count: 1000 }]);
});

test("a search has at most ten different words", async () => {
  const api = await open();
  const search = (words: string[]) => api.get(`/api/people?search=${words.join("+")}`);
  const ten = [..."abcdefghij"];
  expect((await search([...ten, ...ten])).status).toBe(200);
  const { status, json } = await search([...ten, "k"]);
  expect([status, json.errors]).toEqual([400, [{ field: "search", message: "Search for at most ten words." }]]);
  const filter = { search: [...ten, "k"].join(" ") };
  expect((await api.post("/api/set-aside", { filter, upTo: "9", withConfirmed: true })).status).toBe(400);
});
