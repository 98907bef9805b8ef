import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { startBehindProxies } from "#tests/support/behind-proxies.ts";
import { post } from "#tests/support/post.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
let server: Awaited<ReturnType<typeof startBehindProxies>>;
beforeAll(async () => {
  const env = { DATABASE_URL: context.url, LIMIT_PER_CLIENT: "2", SECRET: "a secret of two and thirty letters" };
  server = await startBehindProxies((proxies) => startServer({ ...env, ...proxies }));
});
afterAll(() => server.stop());

test("plain http leads to https, at the same host and path, and a form stays a form", async () => {
  const answer = await fetch(`${server.nginx.httpOrigin}/some/path?utm_source=x`, { redirect: "manual" });
  expect(answer.status).toBe(308);
  expect(answer.headers.get("location")).toBe("https://127.0.0.1/some/path?utm_source=x");
});

test("TLS 1.2 is the oldest that is spoken, HTTP/2 the first that is offered", async () => {
  const { port } = new URL(server.origin);
  const old = connectTls({
    port: Number(port),
    maxVersion: "TLSv1.1",
    minVersion: "TLSv1",
    ciphers: "ALL:@SECLEVEL=0",
  });
  await expect(once(old, "secureConnect")).rejects.toThrow(/protocol version/);
  const session = connectHttp2(server.origin);
  const answer = session.request({ ":path": "/", "accept-encoding": "br" });
  const [headers] = await once(answer, "response");
  session.close();
  expect(headers).toMatchObject({
    ":status": 200,
    // The server's own compression and policy, untouched.
    "content-encoding": "br",
    "strict-transport-security": expect.stringContaining("max-age"),
  });
});

test("a client counts as itself, whatever address it says it has", async () => {
  const statuses = [];
  for (const forged of ["198.51.100.1", "198.51.100.2", "198.51.100.3"])
    statuses.push((await post(server.origin, undefined, { "x-forwarded-for": forged })).status);
  expect(statuses).toEqual([201, 201, 429]);
});

test("what the private port says is not to be had", async () => {
  for (const path of ["/metrics", "/ready", "/live"]) expect((await fetch(server.origin + path)).status).toBe(404);
});

test("more than a sign-up can be is refused", async () => {
  expect((await post(server.origin, "x".repeat(16 * 1024 + 1))).status).toBe(413);
});

test("nothing of a visitor is written down, not even of one who makes mistakes", async () => {
  const page = `${server.origin}${MEMBERSHIP_PATH}/a-key`;
  await fetch(page);
  await fetch(page, { method: "POST", body: "x".repeat(20_000) });
  await fetch(`${page}/%00`);
  await fetch(page.replace("https", "http")).catch(() => {});
  expect(server.nginx.log()).toBe("");
  expect(server.log()).not.toContain("a-key");
});
