import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MEMBERSHIP_PATH, STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/keys.ts";
import { memberToken } from "#core/members/links.ts";
import { requestsWith } from "#tests/drills/fuzz/cases.ts";
import { SECRET, useBothVersions, type Version } from "#tests/support/both-versions.ts";
import { type HttpRequest, requestBytes } from "#tests/support/exchange.ts";
import { aVersion1SignUp } from "#tests/support/release.ts";
import { INTENDED } from "./intended-differences.ts";

const FUZZ_RUNS = 3000;
const PERSON = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", company: "Acme, Inc." };
const IDEMPOTENCY_KEY = { "idempotency-key": "0".repeat(32) };

const versions = useBothVersions(INTENDED);

const send = (request: HttpRequest) => versions.compare(requestBytes(request));
const form = (fields: Record<string, string>) => ({ path: WAITLIST_PATH, body: new URLSearchParams(fields) });
const statusOf = (response: string) => Number(response.slice(9, 12));

test("responds to sign-ups as version 1.0.0 does", async () => {
  const path = WAITLIST_PATH;
  const statuses: number[] = [];
  for (const request of [
    { path, body: PERSON, headers: IDEMPOTENCY_KEY },
    { path, body: PERSON, headers: IDEMPOTENCY_KEY },
    { path, body: { ...PERSON, firstName: "Grace" }, headers: IDEMPOTENCY_KEY },
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
  expect(new Set(statuses)).toEqual(new Set([201, 422, 409, 400, 403, 415, 413]));
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
    expect(statusOf(await versions.compare(wire))).toBeGreaterThanOrEqual(400);
  }
});

test("serves the member page and handles all its buttons as version 1.0.0 does", async () => {
  const first = versions.after.db.selectFrom("sign_ups").select(["id", "email_key"]).orderBy("id");
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
    await versions.compare(wire.replace("host: localhost\r\n", "host: localhost\r\nconnection: close\r\n"));
  }
}, 120_000);

test("counts the same totals as version 1.0.0 after all sign-ups in this file", async () => {
  const read = async ({ server }: Version) => (await fetch(server.origin + STATS_PATH)).json();
  await pause(1100);
  const totals = await read(versions.before);
  expect(totals.data.totalUsers).toBeGreaterThan(FUZZ_RUNS / 60);
  expect(await read(versions.after)).toEqual(totals);
});

test("limits a client's sign-ups as version 1.0.0 does", async () => {
  const wire = requestBytes({ path: WAITLIST_PATH, body: { ...PERSON, email: "limited@example.com" } });
  expect([
    statusOf(await versions.compare(wire, "limited")),
    statusOf(await versions.compare(wire, "limited")),
  ]).toEqual([201, 429]);
});

test("responds as version 1.0.0 does while a database lock blocks sign-ups", async () => {
  const locks = await Promise.all([versions.before, versions.after].map(async ({ db }) => db.pool.connect()));
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
  expect(versions.unseen()).toEqual([]);
});
