import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
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

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Varnish names the request that brought a held answer beside the one that got it. */
  isHeld: boolean;
}

function ask(path: string, options: RequestOptions = {}, body = "", { origin } = edge): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(origin + path, options, async (answer) => {
      const { statusCode: status = 0, headers } = answer;
      resolve({ status, headers, body: await buffer(answer), isHeld: / /.test(String(headers["x-varnish"])) });
    });
    asking.on("error", reject).end(body);
  });
}

const join = (signUp = aSignUp(), options: RequestOptions = {}) =>
  ask(
    WAITLIST_PATH,
    { method: "POST", ...options, headers: { "content-type": "application/json", ...options.headers } },
    JSON.stringify(signUp),
  );

test("page and stats are held, whichever campaign's link and cookies one comes with", async () => {
  for (const path of ["/", STATS_PATH]) {
    await ask(path);
    const answer = await ask(`${path}?utm_source=radio`, { headers: { cookie: "a=b", authorization: "Basic YTpi" } });
    expect(answer).toMatchObject({ status: 200, isHeld: true });
  }
});

test("a browser gets the smallest coding that it takes, as it was built", async () => {
  for (const [accepted, coding, file] of [
    ["gzip, deflate, br, zstd", "br", "index.html.br"],
    ["br;q=0, gzip;q=0.5", "gzip", "index.html.gz"],
    ["BR;Q=0.000, identity", undefined, "index.html"],
  ] as const) {
    for (const turn of ["first", "then"]) {
      const { headers, body, isHeld } = await ask("/", { headers: { "accept-encoding": accepted } });
      expect(headers["content-encoding"]).toBe(coding);
      expect(body.equals(readFileSync(`dist/${file}`))).toBe(true);
      if (turn === "then") expect(isHeld).toBe(true);
    }
  }
});

test("sign-ups are never held", async () => {
  const signUp = aSignUp();
  expect(await join(signUp)).toMatchObject({ status: 201, isHeld: false });
  expect(await join(signUp)).toMatchObject({ status: 409, isHeld: false });
});

test("members' own pages are never held, and their addresses never logged", async () => {
  await join();
  const member = await context.db.selectFrom("sign_ups").select(["id", "email_key"]).executeTakeFirstOrThrow();
  const page = `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), member, new Date(Date.now() + 60_000))}`;
  for (const path of [page, page, `${page}/data`, `${page}/data`]) {
    expect(await ask(path, { localAddress: "127.0.0.9" })).toMatchObject({ status: 200, isHeld: false });
  }
  const button = {
    method: "POST",
    localAddress: "127.0.0.9",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
  expect(await ask(`${page}/confirm`, button)).toMatchObject({ status: 303, isHeld: false });
  const log = edge.log();
  expect(log).toContain("VCL_call       PASS");
  for (const secret of [MEMBERSHIP_PATH, "127.0.0.9"]) expect(log).not.toContain(secret);
});

test("limits count each visitor, whatever address they claim", async () => {
  const from = (localAddress: string, claimed: string) =>
    join(aSignUp(), { localAddress, headers: { "x-forwarded-for": claimed } });
  const statuses = [];
  for (let turn = 1; turn <= 6; turn += 1) statuses.push((await from("127.0.0.2", `10.0.0.${turn}`)).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
  expect((await from("127.0.0.3", "127.0.0.2")).status).toBe(201);
});

test("while the servers are gone page and stats are still there, and once they are back, so are new numbers", async () => {
  const { body } = await ask(STATS_PATH);
  await ask("/");
  process.kill(server.pid, "SIGKILL");
  // Longer than a healthy server's word is good for: a second, and ten more.
  for (const began = Date.now(); Date.now() - began < 13_000; await pause(250)) {
    expect(await ask(STATS_PATH)).toMatchObject({ status: 200, body });
    expect(await ask("/?utm_source=radio")).toMatchObject({ status: 200 });
  }
  expect(await join(aSignUp(), { localAddress: "127.0.0.4" })).toMatchObject({ status: 503, isHeld: false });

  server = await start();
  await expect
    .poll(() => join(aSignUp(), { localAddress: "127.0.0.4" }), { timeout: 2000 })
    .toMatchObject({ status: 201 });
  await expect.poll(async () => (await ask(STATS_PATH)).body.equals(body), { timeout: 2500 }).toBe(false);
}, 30_000);

/** An edge before something that says what it is told to, with a number that grows. */
async function withOrigin(cacheControl: string, onTestFinished: TestContext["onTestFinished"]) {
  let turn = 0;
  const said: { state: "well" | "failing" | "hanging" } = { state: "well" };
  const origin = createServer(({ url }, answer) => {
    if (said.state === "hanging") return;
    const isProbe = url === "/robots.txt";
    if (!isProbe) turn += 1;
    const status = said.state === "failing" && !isProbe ? 500 : 200;
    answer.writeHead(status, { "cache-control": cacheControl }).end(String(turn));
  });
  await once(origin.listen(0, "127.0.0.1"), "listening");
  const before = await startEdge((origin.address() as AddressInfo).port);
  onTestFinished(async () => {
    origin.close();
    origin.closeAllConnections();
    await before.stop();
  });
  const read = async () => {
    const { status, body } = await ask("/numbers", {}, "", before);
    return `${status} ${body}`;
  };
  return { origin, said, read };
}

test.concurrent("what is stale is shown for as long as was said where the origin is gone, and no longer", async ({
  onTestFinished,
}) => {
  const { origin, read } = await withOrigin("max-age=1, stale-while-revalidate=1, stale-if-error=4", onTestFinished);
  const began = Date.now();
  const first = await read();
  origin.close();
  origin.closeAllConnections();
  for (; Date.now() - began < 5500; await pause(100)) expect(await read()).toBe(first);
  await pause(1000);
  expect(await read()).toMatch(/^503/);
}, 30_000);

test.concurrent("what is stale is shown where the origin is asked first, and fails or is gone", async ({
  onTestFinished,
}) => {
  const { origin, said, read } = await withOrigin(
    "max-age=1, stale-while-revalidate=10, stale-if-error=60",
    onTestFinished,
  );
  const first = await read();
  said.state = "failing";
  await pause(11_500);
  expect(await read()).toBe(first);
  origin.close();
  origin.closeAllConnections();
  expect(await read()).toBe(first);
}, 30_000);

test.concurrent("an origin that hangs keeps nobody waiting", async ({ onTestFinished }) => {
  const { said, read } = await withOrigin("max-age=1, stale-while-revalidate=10, stale-if-error=60", onTestFinished);
  const first = await read();
  said.state = "hanging";
  await pause(11_500);
  const began = Date.now();
  expect(await read()).toBe(first);
  expect(Date.now() - began).toBeLessThan(1000);
}, 30_000);

test.concurrent("where all is well nobody sees anything older than was said", async ({ onTestFinished }) => {
  const { read } = await withOrigin("max-age=1, stale-while-revalidate=10, stale-if-error=60", onTestFinished);
  const first = await read();
  await pause(11_500);
  expect(await read()).not.toBe(first);
}, 30_000);
