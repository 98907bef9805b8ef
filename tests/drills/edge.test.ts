import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MEMBERSHIP_PATH, STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/keys.ts";
import { memberToken } from "#core/members/links.ts";
import { type Edge, startEdge } from "#tests/support/edge.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
const SECRET = "a secret of at least 32 characters";
let server: RunningServer;
let edge: Edge;
let start: () => Promise<RunningServer>;
beforeAll(async () => {
  const PORT = String(await freePort());
  const env = { DATABASE_URL: context.url, PORT, SECRET, LIMIT_PER_CLIENT: "5", TRUST_PROXY: "127.0.0.1" };
  start = () => startServer(env);
  server = await start();
  edge = await startEdge(Number(PORT));
}, 30_000);
afterAll(async () => {
  await edge.stop();
  await server.stop();
});

interface CachedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** For a cache hit, X-Varnish has two ids: this request's and that of the request that filled the cache. */
  isHit: boolean;
}

function send(path: string, options: RequestOptions = {}, body = ""): Promise<CachedResponse> {
  return new Promise((resolve, reject) => {
    const sending = request(edge.origin + path, options, async (response) => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: await buffer(response), isHit: / /.test(String(headers["x-varnish"])) });
    });
    sending.on("error", reject).end(body);
  });
}

const join = (signUp = aSignUp(), options: RequestOptions = {}) =>
  send(
    WAITLIST_PATH,
    { method: "POST", ...options, headers: { "content-type": "application/json", ...options.headers } },
    JSON.stringify(signUp),
  );

test("serves page and stats from the cache, whatever the query string, cookies and credentials", async () => {
  for (const path of ["/", STATS_PATH]) {
    await send(path);
    const second = await send(`${path}?utm_source=radio`, { headers: { cookie: "a=b", authorization: "Basic YTpi" } });
    expect(second).toMatchObject({ status: 200, isHit: true });
  }
});

test("made-up hosts share one copy of the page", async () => {
  await send("/");
  for (const host of ["a.example", "b.example", "c.example"]) {
    expect(await send("/", { headers: { host } })).toMatchObject({ status: 200, isHit: true });
  }
});

test("serves the smallest content coding that the client accepts, byte for byte as built", async () => {
  for (const [accepted, coding, file] of [
    ["gzip, deflate, br, zstd", "br", "index.html.br"],
    ["br;q=0, gzip;q=0.5", "gzip", "index.html.gz"],
    ["BR;Q=0.000, identity", undefined, "index.html"],
  ] as const) {
    for (const attempt of ["first", "second"]) {
      const { headers, body, isHit } = await send("/", { headers: { "accept-encoding": accepted } });
      expect(headers["content-encoding"]).toBe(coding);
      expect(body.equals(readFileSync(`dist/${file}`))).toBe(true);
      if (attempt === "second") expect(isHit).toBe(true);
    }
  }
});

test("never caches a sign-up", async () => {
  const signUp = aSignUp();
  expect(await join(signUp)).toMatchObject({ status: 201, isHit: false });
  expect(await join(signUp)).toMatchObject({ status: 409, isHit: false });
});

test("never caches a member's page, and logs neither its link nor the client's IP address", async () => {
  await join();
  const member = await context.db.selectFrom("sign_ups").select(["id", "email_key"]).executeTakeFirstOrThrow();
  const page = `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), member, new Date(Date.now() + 60_000))}`;
  for (const path of [page, page, `${page}/data`, `${page}/data`]) {
    expect(await send(path, { localAddress: "127.0.0.9" })).toMatchObject({ status: 200, isHit: false });
  }
  const button = {
    method: "POST",
    localAddress: "127.0.0.9",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
  expect(await send(`${page}/confirm`, button)).toMatchObject({ status: 303, isHit: false });
  const log = edge.log();
  expect(log).toContain("VCL_call       PASS");
  for (const secret of [MEMBERSHIP_PATH, "127.0.0.9"]) expect(log).not.toContain(secret);
});

test("rate limits count the client's real IP address, not a forged X-Forwarded-For", async () => {
  const from = (localAddress: string, forged: string) =>
    join(aSignUp(), { localAddress, headers: { "x-forwarded-for": forged } });
  const statuses = [];
  for (let number = 1; number <= 6; number += 1) statuses.push((await from("127.0.0.2", `10.0.0.${number}`)).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  expect((await from("127.0.0.3", "127.0.0.2")).status).toBe(201);
});

test("serves the cached page and stats while the server is down, and new stats soon after it is back", async () => {
  const { body } = await send(STATS_PATH);
  await send("/");
  process.kill(server.pid, "SIGKILL");
  // Longer than max-age (1 s) plus stale-while-revalidate (10 s).
  for (const startedAt = Date.now(); Date.now() - startedAt < 13_000; await pause(250)) {
    expect(await send(STATS_PATH)).toMatchObject({ status: 200, body });
    expect(await send("/?utm_source=radio")).toMatchObject({ status: 200 });
  }
  expect(await join(aSignUp(), { localAddress: "127.0.0.4" })).toMatchObject({
    status: 503,
    isHit: false,
    headers: {
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-content-type-options": "nosniff",
    },
  });

  server = await start();
  await expect
    .poll(() => join(aSignUp(), { localAddress: "127.0.0.4" }), { timeout: 2000 })
    .toMatchObject({ status: 201 });
  await expect.poll(async () => (await send(STATS_PATH)).body.equals(body), { timeout: 2500 }).toBe(false);
}, 30_000);
