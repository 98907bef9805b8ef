import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { MEMBERSHIP_PATH, STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { createKeys } from "#core/keys.ts";
import { memberToken } from "#core/members/links.ts";
import { requestsWith } from "#tests/drills/fuzz/cases.ts";
import { cloneDatabase, createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { exchange, type HttpRequest, requestBytes } from "#tests/support/exchange.ts";
import { aVersion1SignUp, type Release, releaseAt, VERSION_1 } from "#tests/support/release.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

/**
 * Intended differences from version 1.0.0, each with its reason. An entry that matches no response fails the last test, so
 * the list can't go stale.
 */
const INTENDED: { why: string; is: (before: string, after: string) => boolean }[] = [
  {
    why: "A form posted without JavaScript returns with what is actually wrong with a name or company",
    is: (before, after) =>
      before.replace(/#(first-name-missing|last-name-missing|not-joined)/, "#…") ===
      after.replace(/#(first-name|last-name|company)-(too-long|unusable)/, "#…"),
  },
  {
    why: "A member's download includes the id of their wave",
    is: (before, after) =>
      before.replace(/^content-length: .*$/m, "") ===
      after.replace(/^content-length: .*$/m, "").replace(',\n    "wave_id": null', ""),
  },
  {
    why: "If-None-Match is compared weakly and may be a list",
    is: (before, after) => before.startsWith("HTTP/1.1 200") && after.startsWith("HTTP/1.1 304"),
  },
  {
    why: "The member page's stylesheet names its values from brand/ differently and looks the same",
    is: (before, after) =>
      /^content-type: text\/css/im.test(after) && headWithoutLength(before) === headWithoutLength(after),
  },
];

const FUZZ_RUNS = 3000;
const SECRET = "the same secret for both of them";
const PERSON = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", company: "Acme, Inc." };
const IDEMPOTENCY_KEY = { "idempotency-key": "0".repeat(32) };

interface Version {
  server: RunningServer;
  limited: RunningServer;
  db: Database;
  url: string;
}

let release: Release;
let before: Version;
let after: Version;

beforeAll(async () => {
  release = releaseAt(VERSION_1);
  const url = await createDatabase(inject("templateUrl"));
  const migrate = [join(release.folder, "operator/waitlist.ts"), "migrate"];
  execFileSync(process.execPath, migrate, { env: { ...process.env, DATABASE_URL: url } });
  before = await start(url, release.folder);
  after = await start(await cloneDatabase(inject("templateUrl")));
}, 60_000);

afterAll(async () => {
  for (const { server, limited, db, url } of [before, after]) {
    await Promise.all([server.stop(), limited.stop()]);
    await db.destroy();
    await dropDatabase(url);
  }
  release.remove();
}, 30_000);

async function start(url: string, folder?: string): Promise<Version> {
  const settings = { DATABASE_URL: url, SECRET, PUBLIC_ORIGIN: "https://farwatch.test", LOG_LEVEL: "silent" };
  const unlimited = { LIMIT_PER_CLIENT: "1000000", LIMIT_PER_ADDRESS: "1000000" };
  return {
    // startServer reads the port from the log, so it can't be silent.
    server: await startServer({ ...settings, ...unlimited, LOG_LEVEL: "info" }, [], folder),
    limited: await startServer({ ...settings, LIMIT_PER_CLIENT: "1", LOG_LEVEL: "info" }, [], folder),
    db: connect(url),
    url,
  };
}

const seenDifferences = new Set<string>();

/** Sends the same bytes to both versions and compares everything except timestamps and totals. */
async function compare(wire: string, at: "server" | "limited" = "server"): Promise<string> {
  const [expected, actual] = await Promise.all(
    [before, after].map(async (version) => comparable(await exchange(version[at].origin, wire))),
  );
  const intended = INTENDED.find(({ is }) => expected !== actual && is(expected as string, actual as string));
  if (intended) seenDifferences.add(intended.why);
  else expect(actual, wire.slice(0, 1000)).toBe(expected);
  return actual as string;
}

/** A honeypot's 201 carries totals that are up to a second old; a later test compares them, once both have caught up. */
function comparable(response: string): string {
  return response
    .replace(/^content-length: \d+\r\n([\s\S]*"data":\{)"totalUsers":\d+,"companiesInterested":\d+/im, "$1…")
    .replace(/^date: .*$/im, "date: …")
    .replace(/^(retry-after): \d+\r$/im, (line, name) => (/: [15]\r$/.test(line) ? line : `${name}: …\r`))
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…");
}

function headWithoutLength(response: string): string {
  return response.slice(0, response.indexOf("\r\n\r\n")).replace(/^content-length: \d+\r\n/im, "");
}

const send = (request: HttpRequest) => compare(requestBytes(request));
const form = (fields: Record<string, string>) => ({ path: WAITLIST_PATH, body: new URLSearchParams(fields) });
const statusOf = (response: string) => Number(response.slice(9, 12));

test("responds to sign-ups as version 1.0.0 does", async () => {
  const path = WAITLIST_PATH;
  const statuses: number[] = [];
  for (const request of [
    { path, body: PERSON, headers: IDEMPOTENCY_KEY },
    { path, body: PERSON, headers: IDEMPOTENCY_KEY },
    { path, body: PERSON },
    { path, body: { ...PERSON, email: "ADA@Example.COM" } },
    { path, body: { ...PERSON, email: "bot@example.com", website: "x" } },
    {
      path,
      body: { ...PERSON, email: "grace@example.com", newsletter: true },
      headers: { origin: "https://farwatch.test" },
    },
    { path, body: {} },
    { path, body: { ...PERSON, firstName: "x".repeat(101), email: "nobody" } },
    { path, body: { ...PERSON, extra: 1 } },
    { path, body: { ...PERSON, email: "ada@xn--iñvalid.com" } },
    { path, body: { ...PERSON, email: "b@example.com" }, headers: { "idempotency-key": "short" } },
    { path, body: "{" },
    { path, body: "" },
    { path, body: PERSON, headers: { "sec-fetch-site": "cross-site" } },
    { path, body: PERSON, headers: { origin: "https://elsewhere.test" } },
    { path, body: PERSON, headers: { "content-type": "text/plain" } },
    { path, body: { ...PERSON, company: "x".repeat(20_000) } },
    { path, body: { ...PERSON, email: "c@example.com" }, headers: { referer: "https://farwatch.test/?utm_source=x" } },
  ]) {
    statuses.push(statusOf(await send(request)));
  }
  expect(new Set(statuses)).toEqual(new Set([201, 409, 400, 403, 415, 413]));
});

test("responds to forms posted without JavaScript as version 1.0.0 does", async () => {
  for (const fields of [
    { ...PERSON, email: "form@example.com", newsletter: "on" },
    { ...PERSON, email: "form@example.com" },
    { ...PERSON, email: "bot@example.com", website: "x" },
    { ...PERSON, firstName: "" },
    { ...PERSON, lastName: " " },
    { ...PERSON, email: "nobody" },
    { ...PERSON, firstName: "x".repeat(101) },
    { ...PERSON, surprise: "!" },
    {},
  ]) {
    expect(statusOf(await send(form(fields as Record<string, string>)))).toBe(303);
  }
  await send({ ...form(PERSON), headers: { "sec-fetch-site": "cross-site" } });
});

test("serves pages, files and stats, and rejects unknown paths and methods, as version 1.0.0 does", async () => {
  for (const path of [
    "/",
    "/nowhere",
    "/index.html",
    "/%",
    "/a%20b",
    "/robots.txt",
    "/icon.svg",
    "/site.webmanifest",
  ]) {
    for (const method of ["GET", "HEAD", "POST", "DELETE"]) await send({ method, path });
    for (const encoding of ["br", "gzip", "br;q=0, gzip", "identity", "*"]) {
      await send({ path, headers: { "accept-encoding": encoding } });
    }
  }
  for (const path of [
    STATS_PATH,
    WAITLIST_PATH,
    "/api",
    "/api/",
    "/api/nowhere",
    MEMBERSHIP_PATH,
    `${MEMBERSHIP_PATH}.css`,
  ])
    for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) await send({ method, path });
  const etag = /^etag: (.*)\r$/im.exec(await send({ path: "/" }))?.[1] ?? "";
  expect(statusOf(await send({ path: "/", headers: { "if-none-match": etag } }))).toBe(304);
  for (const other of [`${etag}x`, '"other"', `W/${etag}`, `"other", W/${etag}`, "*", "W/"]) {
    await send({ path: "/", headers: { "if-none-match": other } });
  }
});

test("rejects malformed HTTP as version 1.0.0 does", async () => {
  for (const wire of [
    "GET / HTTP/9.9\r\n\r\n",
    "GET  / HTTP/1.1\r\n\r\n",
    `GET /${"a".repeat(20_000)} HTTP/1.1\r\n`,
    "POST /api/waitlist HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n",
  ]) {
    expect(statusOf(await compare(wire))).toBeGreaterThanOrEqual(400);
  }
});

test("serves the member page and handles all its buttons as version 1.0.0 does", async () => {
  const first = after.db.selectFrom("sign_ups").select(["id", "email_key"]).orderBy("id");
  const token = memberToken(
    createKeys(SECRET),
    await first.executeTakeFirstOrThrow(),
    new Date(Date.now() + 3_600_000),
  );
  const page = `${MEMBERSHIP_PATH}/${token}`;
  const press = (path: string, body = "") => ({ path: page + path, body: new URLSearchParams(body) });
  for (const request of [
    { path: page },
    { path: `${page}x` },
    { path: `${page}/data` },
    { path: `${page}/nowhere` },
    press("/confirm"),
    { path: page },
    press("/newsletter", "wanted=yes"),
    { path: page },
    press("/newsletter", "wanted=no"),
    press("/newsletter", "wanted=perhaps"),
    { path: page },
    { path: `${page}/unsubscribe` },
    press("/unsubscribe", "List-Unsubscribe=One-Click"),
    press("/unsubscribe", "List-Unsubscribe=One-Click"),
    { path: `${page}/data` },
    press("/leave"),
    { path: page },
    press("/leave"),
  ]) {
    await send(request);
  }
  expect(statusOf(await send({ path: page }))).toBe(404);
});

test(`responds to ${FUZZ_RUNS} fuzzed requests as version 1.0.0 does`, async () => {
  // A fixed seed, so that a failure can be reproduced.
  for (const wire of fc.sample(requestsWith(aVersion1SignUp), { numRuns: FUZZ_RUNS, seed: 20_261_115 })) {
    await compare(wire.replace("host: localhost\r\n", "host: localhost\r\nconnection: close\r\n"));
  }
}, 120_000);

test("counts the same totals as version 1.0.0 after all sign-ups in this file", async () => {
  const read = async ({ server }: Version) => (await fetch(server.origin + STATS_PATH)).json();
  await pause(1100);
  const totals = await read(before);
  expect(totals.data.totalUsers).toBeGreaterThan(FUZZ_RUNS / 60);
  expect(await read(after)).toEqual(totals);
});

test("limits a client's sign-ups as version 1.0.0 does", async () => {
  const wire = requestBytes({ path: WAITLIST_PATH, body: { ...PERSON, email: "limited@example.com" } });
  expect([statusOf(await compare(wire, "limited")), statusOf(await compare(wire, "limited"))]).toEqual([201, 429]);
});

test("responds as version 1.0.0 does while a database lock blocks sign-ups", async () => {
  const locks = await Promise.all([before, after].map(async ({ db }) => db.pool.connect()));
  try {
    for (const lock of locks) await lock.query("begin; lock table sign_ups");
    const response = await send({ path: WAITLIST_PATH, body: { ...PERSON, email: "waits@example.com" } });
    expect(statusOf(response)).toBe(503);
    await send({ path: STATS_PATH });
  } finally {
    for (const lock of locks) lock.release(true);
  }
});

test("every intended difference from version 1.0.0 still occurs", () => {
  expect(INTENDED.map(({ why }) => why).filter((why) => !seenDifferences.has(why))).toEqual([]);
});
