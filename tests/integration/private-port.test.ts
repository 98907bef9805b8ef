import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as openSocket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { STATS_PATH } from "#contract/paths.ts";
import { PROBLEM_TYPE } from "#contract/problem.ts";
import { readConfig } from "#core/config/config.ts";
import { connect } from "#core/database/connect.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { post } from "#tests/support/post.ts";
import { postSignUp } from "#tests/support/requests.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startProgram, startServer } from "#tools/dev/running-site.ts";
import { startMailWorker } from "#worker/start.ts";

const context = useTestDatabase();
const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", SECRET: randomUUID(), PUBLIC_ORIGIN: "https://farwatch.example" };

async function start(env: Record<string, string> = {}) {
  const port = await freePort();
  const server = await startServer({ DATABASE_URL: context.url, PRIVATE_PORT: String(port), DRAIN_MS: "300", ...env });
  onTestFinished(server.stop);
  const getPrivate = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  return { server, getPrivate };
}

test("liveness, readiness and every metric of the alerts and the dashboard are served only on the private port", async () => {
  const { server, getPrivate } = await start({ LIMIT_PER_CLIENT: "4" });
  expect((await getPrivate("/live")).status).toBe(200);
  expect((await getPrivate("/ready")).status).toBe(200);
  const missing = await getPrivate("/");
  expect([missing.status, missing.headers.get("content-type")]).toEqual([404, PROBLEM_TYPE]);
  for (const path of ["/live", "/ready", "/metrics"]) expect((await fetch(server.origin + path)).status).toBe(404);

  const ada = aSignUp();
  for (const signUp of [ada, ada, aSignUp({ website: "x" })]) await post(server.origin, signUp);
  await context.db.pool.query("alter table sign_ups rename to lost");
  await post(server.origin);
  await context.db.pool.query("alter table lost rename to sign_ups");
  await post(server.origin);
  const metrics = await (await getPrivate("/metrics")).text();
  for (const line of [
    'farwatch_joins_total{outcome="joined"} 1',
    'farwatch_joins_total{outcome="already-joined"} 1',
    'farwatch_joins_total{outcome="quarantined"} 1',
    'farwatch_joins_total{outcome="failed"} 1',
    'farwatch_limited_total{bucket="client"} 1',
    "farwatch_batch_size_count 3",
    "farwatch_commit_seconds_count 3",
    "farwatch_waiting 0",
    "farwatch_pool_busy 0",
    "nodejs_eventloop_lag_p99_seconds ",
  ]) {
    expect(metrics).toContain(line);
  }
  expect(metrics).not.toContain("example.com");
  const named = ["deploy/alerts.yaml", "deploy/dashboard.json"].flatMap(
    (file) => readFileSync(file, "utf8").match(/\b(farwatch|nodejs|process)_\w+/g) ?? [`none in ${file}`],
  );
  // Includes TYPE lines, because a counter with labels has no sample until it counts something.
  const exported = new Set(metrics.match(/(?<=^|^# TYPE )\w+/gm));
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

test("on SIGTERM, /ready fails first, then open requests finish and queued sign-ups are written, all within ten seconds", async () => {
  const { server, getPrivate } = await start();
  const holder = await context.db.pool.connect();
  // Closes the connection if the test fails, because the pool would wait for it forever.
  let isHeld = true;
  onTestFinished(() => {
    if (isHeld) holder.release(true);
  });
  // Opens the connection that looks for the lock, because a blocked sign-up soon times out.
  await context.db.pool.query("select");
  await holder.query("begin; lock table sign_ups in exclusive mode");
  const inFlight = post(server.origin);
  await untilBlocked(context.db);
  const queued = post(server.origin);
  // Two requests with incomplete bodies: one client sends the rest later, the other never does.
  const wire = postSignUp(aSignUp());
  const [slow, stuck] = [await sendIncomplete(server.origin, wire), await sendIncomplete(server.origin, wire)];

  const startedAt = performance.now();
  const stopped = server.stop();
  await expect.poll(async () => (await getPrivate("/ready")).status, { interval: 20 }).toBe(503);
  // Until the proxy notices the shutdown, requests still arrive and are served, each as the last on its connection.
  const late = await fetch(server.origin + STATS_PATH);
  expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
  await expect.poll(() => isListening(server.origin), { interval: 20 }).toBe(false);
  slow.write(wire.slice(-10));
  await holder.query("rollback");
  holder.release();
  isHeld = false;
  expect([(await inFlight).status, (await queued).status]).toEqual([201, 201]);
  const [response] = await once(slow, "data");
  expect(response).toMatch(/^HTTP\/1\.1 201 /);
  await stopped;
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  for (const socket of [slow, stuck]) socket.destroy();
});

test("a stopping server accepts a sign-up on a connection that was idle, and only then closes it", async () => {
  const { server } = await start({ DRAIN_MS: "0" });
  const idle = openSocket(Number(new URL(server.origin).port), "127.0.0.1").setEncoding("utf8");
  idle.write(postSignUp(aSignUp()));
  expect((await once(idle, "data"))[0]).toMatch(/^HTTP\/1\.1 201 /);
  const stopped = server.stop();
  await expect.poll(() => isListening(server.origin), { interval: 20 }).toBe(false);
  idle.write(postSignUp(aSignUp()));
  const [response] = await Promise.race([once(idle, "data"), once(idle, "close")]);
  expect(String(response)).toMatch(/^HTTP\/1\.1 201 .*\nconnection: close\r\n/s);
  await once(idle, "close");
  await stopped;
});

test("a stopping server accepts a sign-up on a connection that only its last response made idle", async () => {
  const { server } = await start({ DRAIN_MS: "0" });
  const wire = postSignUp(aSignUp());
  const socket = await sendIncomplete(server.origin, wire);
  await pause(100);
  const stopped = server.stop();
  await pause(1700);
  socket.write(wire.slice(-10));
  expect((await once(socket, "data"))[0]).toMatch(/^HTTP\/1\.1 201 /);
  const closed = once(socket, "close");
  // nginx keeps it a little longer.
  await pause(900);
  socket.write(postSignUp(aSignUp()));
  const [response] = await Promise.race([once(socket, "data"), closed]);
  expect(String(response)).toMatch(/^HTTP\/1\.1 201 /);
  await stopped;
});

test("a stopping server accepts sign-ups whose connections it hasn't accepted yet", async () => {
  const { server } = await start({ DRAIN_MS: "0" });
  // The kernel connects clients to a frozen server, as to a busy one.
  process.kill(server.pid, "SIGSTOP");
  const sockets = Array.from({ length: 20 }, () => openSocket(Number(new URL(server.origin).port), "127.0.0.1"));
  for (const socket of sockets) socket.write(postSignUp(aSignUp()));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const responses = Promise.all(sockets.map((socket) => once(socket, "data")));
  const stopped = server.stop();
  process.kill(server.pid, "SIGCONT");
  for (const [response] of await responses) expect(String(response)).toMatch(/^HTTP\/1\.1 201 /);
  await stopped;
});

async function sendIncomplete(origin: string, wire: string) {
  const socket = openSocket(Number(new URL(origin).port), "127.0.0.1").setEncoding("utf8");
  socket.on("error", () => {});
  await new Promise((resolve) => socket.write(wire.slice(0, -10), resolve));
  return socket;
}

async function isListening(origin: string): Promise<boolean> {
  const socket = openSocket(Number(new URL(origin).port), "127.0.0.1");
  return once(socket, "connect").then(
    () => Boolean(socket.destroy()),
    () => false,
  );
}

test("a worker is ready on its private port while it claims mail, and not after a minute without its database", async () => {
  const env = { DATABASE_URL: context.url, ...MAIL };
  const port = await freePort();
  const child = spawn(process.execPath, ["worker/main.ts"], {
    env: { ...process.env, ...env, PRIVATE_PORT: String(port) },
    stdio: "ignore",
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  await vi.waitUntil(async () => (await get("/ready"))?.status === 200, { timeout: 15_000 });
  expect(await (await get("/metrics"))?.text()).toContain("process_cpu_seconds_total");

  const { mail } = readConfig(env);
  const db = connect(env.DATABASE_URL);
  const worker = mail && startMailWorker(mail, db, () => {});
  onTestFinished(async () => worker?.stop());
  expect(worker?.isReady()).toBe(true);
  await db.destroy();
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + 61_000);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(worker?.isReady()).toBe(false);
});

test("the team's console serves health checks and metrics, and drains on SIGTERM", async () => {
  const port = await freePort();
  const env = { DATABASE_URL: context.url, PRIVATE_PORT: String(port), CONSOLE_ORIGIN: "https://console.test" };
  expect((await runNode("console/main.ts", env)).stderr).toContain("OIDC_CLIENT_SECRET must be set too");
  const oidc = { OIDC_ISSUER: "https://login.test", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: randomUUID() };
  const team = await startProgram(["console/main.ts"], { ...env, ...oidc, DRAIN_MS: "500" });
  onTestFinished(team.stop);
  const getPrivate = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  expect((await getPrivate("/ready")).status).toBe(200);
  expect((await fetch(`${team.origin}/api/people`)).status).toBe(421);
  expect(await (await getPrivate("/metrics")).text()).toContain('responses_total{route="/api/people",status="421"}');
  const stopped = team.stop();
  await expect.poll(async () => (await getPrivate("/ready")).status).toBe(503);
  expect((await fetch(`${team.origin}/people`)).headers.get("connection")).toBe("close");
  await stopped;
});
