import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { useFolder } from "#tests/support/folder.ts";
import { addMany } from "#tests/support/people.ts";
import { createBrowser, ORIGIN, useEmptyTeam } from "#tests/support/team-console.ts";

/** A Unix socket buffers 200 KB, so an export of 3 MB waits for its reader. TCP would buffer all 3 MB. */
const PEOPLE = 30_000;
const { context, team, query } = useEmptyTeam();
const { folder } = useFolder();
let browser: ReturnType<typeof createBrowser>;
let socketPath: string;
const opened: ClientRequest[] = [];

beforeAll(async () => {
  socketPath = join(folder, "console");
  await team.app.listen({ path: socketPath });
  await emptyWaitlist(context.db);
  await addMany(context.db, PEOPLE);
});
beforeEach(async () => {
  await setRole(context.db, OPERATOR, "ada@example.com", "admin");
  browser = createBrowser(team);
  await browser.signIn();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const each of opened.splice(0)) each.destroy();
  await expect.poll(() => cursors()).toBe(0);
});

const start = () => browser.post("/api/exports", { format: "csv" });
/** How many exports' database connections have fetched no row for this long. */
const cursors = async (pause = "0 seconds") => {
  const ours = "datname = current_database() and query like 'fetch %'";
  const paused = `state_change < clock_timestamp() - interval '${pause}'`;
  return (await query(`select from pg_stat_activity where ${ours} and ${paused}`)).rowCount;
};

/** Starts a download and reads nothing but its headers. */
async function download(): Promise<IncomingMessage> {
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { host: new URL(ORIGIN).host, "sec-fetch-site": "same-origin", cookie };
  const sent = request({ socketPath, path: `/api/exports/${(await start()).json().id}/file`, headers });
  opened.push(sent);
  const [response] = (await once(sent.end(), "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

/** Reads to the end, and returns the number of lines. */
async function countLines(response: IncomingMessage): Promise<number> {
  let lines = 0;
  try {
    for await (const chunk of response) lines += String(chunk).split("\n").length - 1;
  } catch (reason) {
    expect(reason).toMatchObject({ code: "ECONNRESET" });
  }
  return lines;
}

test("an export that is read goes on to its end", async () => {
  expect(await countLines(await download())).toBe(PEOPLE + 1);
});

test.each([
  ["its session ends", () => query("delete from console_sessions")],
  ["the operator's role is taken away", () => query("delete from console_roles")],
  ["the operator's role may no longer export", () => query("update console_roles set role = 'editor'")],
])("an export stops when %s", async (_when, change) => {
  const response = await download();
  await change();
  expect(await countLines(response)).toBeLessThan(PEOPLE / 3);
});

test("downloading doesn't keep a session alive", async () => {
  const response = await download();
  await query("update console_sessions set last_seen_at = now() - interval '2 minutes'");
  await countLines(response);
  expect((await query("select from console_sessions where last_seen_at > now() - interval '1 minute'")).rowCount).toBe(
    0,
  );
});

test("at most three exports run at once, so that the console goes on for everyone", async () => {
  for (let count = 0; count < 3; count += 1) await download();
  const { statusCode, json } = await start();
  expect([statusCode, json().detail]).toEqual([429, expect.stringContaining("Three exports")]);
  expect((await browser.get("/api/people")).statusCode).toBe(200);
  opened.pop()?.destroy();
  await expect.poll(async () => (await start()).statusCode).toBe(200);
});

test("exports of an ended session make room for others", async () => {
  for (let count = 0; count < 2; count += 1) await download();
  expect((await start()).statusCode).toBe(200);
  expect((await start()).statusCode).toBe(429);
  await query("delete from console_sessions");
  await browser.signIn();
  for (let count = 0; count < 3; count += 1) expect((await start()).statusCode).toBe(200);
  expect((await start()).statusCode).toBe(429);
});

test("an export that nobody reads for a minute ends, and lets go of its database connection", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await download();
  // Also waits for the check before each chunk, because the time that follows would time out its connection.
  const isChecking = () => context.db.pool.totalCount - context.db.pool.idleCount > 1;
  await vi.waitUntil(async () => (await cursors("500 milliseconds")) && !isChecking(), { timeout: 10_000 });
  vi.advanceTimersByTime(45_000);
  expect(await cursors()).toBe(1);
  // The last chunk may have been written during the wait.
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await expect.poll(() => cursors()).toBe(0);
});
