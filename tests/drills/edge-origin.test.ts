import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, type TestContext, test } from "vitest";
import { startEdge } from "#tests/support/edge.ts";

/** An edge cache in front of a fake origin whose responses are numbered. */
async function startEdgeWithFakeOrigin(cacheControl: string, onTestFinished: TestContext["onTestFinished"]) {
  let count = 0;
  const control: { state: "healthy" | "failing" | "hanging" } = { state: "healthy" };
  const origin = createServer(({ url }, response) => {
    if (control.state === "hanging") return;
    const isProbe = url === "/robots.txt";
    if (!isProbe) count += 1;
    const status = control.state === "failing" && !isProbe ? 500 : 200;
    response.writeHead(status, { "cache-control": cacheControl }).end(String(count));
  });
  await once(origin.listen(0, "127.0.0.1"), "listening");
  const edge = await startEdge((origin.address() as AddressInfo).port);
  onTestFinished(async () => {
    origin.close();
    origin.closeAllConnections();
    await edge.stop();
  });
  const read = async () => {
    const response = await fetch(`${edge.origin}/numbers`);
    return `${response.status} ${await response.text()}`;
  };
  return { origin, control, read };
}

test.concurrent("when the origin is down, serves stale until stale-if-error expires", async ({ onTestFinished }) => {
  const { origin, read } = await startEdgeWithFakeOrigin(
    "max-age=1, stale-while-revalidate=1, stale-if-error=4",
    onTestFinished,
  );
  const startedAt = Date.now();
  const first = await read();
  origin.close();
  origin.closeAllConnections();
  for (; Date.now() - startedAt < 5500; await pause(100)) expect(await read()).toBe(first);
  await pause(1000);
  expect(await read()).toMatch(/^503/);
}, 30_000);

test.concurrent("serves a stale response when the origin returns a 500 or is down", async ({ onTestFinished }) => {
  const { origin, control, read } = await startEdgeWithFakeOrigin(
    "max-age=1, stale-while-revalidate=10, stale-if-error=60",
    onTestFinished,
  );
  const first = await read();
  control.state = "failing";
  await pause(11_500);
  expect(await read()).toBe(first);
  origin.close();
  origin.closeAllConnections();
  expect(await read()).toBe(first);
}, 30_000);

test.concurrent("serves a stale response within a second when the origin hangs", async ({ onTestFinished }) => {
  const { control, read } = await startEdgeWithFakeOrigin(
    "max-age=1, stale-while-revalidate=10, stale-if-error=60",
    onTestFinished,
  );
  const first = await read();
  control.state = "hanging";
  await pause(11_500);
  const startedAt = Date.now();
  expect(await read()).toBe(first);
  expect(Date.now() - startedAt).toBeLessThan(1000);
}, 30_000);

test.concurrent("serves nothing past stale-while-revalidate from a healthy origin", async ({ onTestFinished }) => {
  const { read } = await startEdgeWithFakeOrigin(
    "max-age=1, stale-while-revalidate=10, stale-if-error=60",
    onTestFinished,
  );
  const first = await read();
  await pause(11_500);
  expect(await read()).not.toBe(first);
}, 30_000);
