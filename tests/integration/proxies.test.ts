import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { get } from "node:https";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { startBehindProxies } from "#tests/support/behind-proxies.ts";
import { startNginx } from "#tests/support/nginx.ts";
import { post } from "#tests/support/post.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
let server: Awaited<ReturnType<typeof startBehindProxies>>;
beforeAll(async () => {
  const env = { DATABASE_URL: context.url, LIMIT_PER_CLIENT: "2", SECRET: "a secret of at least 32 characters" };
  server = await startBehindProxies((proxies) => startServer({ ...env, ...proxies }));
});
afterAll(() => server.stop());

test("HTTP redirects to HTTPS with 308, keeping method, host and path", async () => {
  const response = await fetch(`${server.nginx.httpOrigin}/some/path?utm_source=x`, { redirect: "manual" });
  expect(response.status).toBe(308);
  expect(response.headers.get("location")).toBe("https://127.0.0.1/some/path?utm_source=x");
});

test("TLS older than 1.2 is rejected, and HTTP/2 is served with the server's own headers", async () => {
  const port = Number(new URL(server.origin).port);
  const oldTls = connectTls({ port, maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" });
  await expect(once(oldTls, "secureConnect")).rejects.toThrow(/protocol version/);
  const session = connectHttp2(server.origin);
  const request = session.request({ ":path": "/", "accept-encoding": "br" });
  const [headers] = await once(request, "response");
  session.close();
  expect(headers).toMatchObject({
    ":status": 200,
    // nginx passes on the server's compression and headers.
    "content-encoding": "br",
    "strict-transport-security": expect.stringContaining("max-age"),
  });
});

test("a forged X-Forwarded-For doesn't evade the rate limit behind the proxy", async () => {
  const statuses = [];
  for (const forged of ["198.51.100.1", "198.51.100.2", "198.51.100.3"])
    statuses.push((await post(server.origin, undefined, { "x-forwarded-for": forged })).status);
  expect(statuses).toEqual([201, 201, 429]);
});

test("a visitor who claims to be a cache doesn't make the views a minimum", async () => {
  const other = await startBehindProxies((proxies) => startServer({ DATABASE_URL: context.url, ...proxies }));
  const claims = { "cdn-loop": "x", via: "1.1 varnish" };
  const headers = { "user-agent": "Mozilla", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", ...claims };
  const [page] = await once(get(other.origin, { headers }), "response");
  expect(page.statusCode).toBe(200);
  page.destroy();
  // Stopping stores the views.
  await other.stop();
  const views = await context.db.selectFrom("page_views").select(["views", "is_partial"]).execute();
  expect(views).toEqual([{ views: 1, is_partial: false }]);
});

const OWN_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

test("nginx's own errors have security headers, and the server's aren't doubled", async () => {
  const page = await fetch(server.origin);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  const tooLarge = await post(server.origin, "x".repeat(16 * 1024 + 1));
  expect(tooLarge.status).toBe(413);
  expect(Object.fromEntries(tooLarge.headers)).toMatchObject(OWN_HEADERS);
  expect(page.headers.get("strict-transport-security")).toBe("max-age=63072000");
  // nginx's HSTS would override the server's, which may include subdomains.
  expect(tooLarge.headers.has("strict-transport-security")).toBe(false);
  const report = { method: "POST", body: "x".repeat(250_000) };
  expect((await fetch(`${server.origin}/api/mail/events/ses`, report)).status).toBe(404);

  const down = await startNginx([`http://127.0.0.1:${await freePort()}`], undefined, 502);
  onTestFinished(down.stop);
  const unavailable = await fetch(down.origin);
  expect(Object.fromEntries(unavailable.headers)).toMatchObject(OWN_HEADERS);
  expect(unavailable.headers.has("strict-transport-security")).toBe(false);
});

const FAILED = {
  time: expect.any(String),
  reqId: expect.stringMatching(/^[0-9a-f]{32}$/),
  seconds: expect.any(Number),
};

test("nginx logs only failed requests, without address or path, and the server no member link", async () => {
  const page = `${server.origin}${MEMBERSHIP_PATH}/a-key`;
  await fetch(page);
  await fetch(page, { method: "POST", body: "x".repeat(20_000) });
  await fetch(`${page}/%00`);
  await fetch(page.replace("https", "http")).catch(() => {});
  expect(server.nginx.log()).toBe("");
  expect(server.log()).not.toContain("a-key");

  const down = await startNginx([`http://127.0.0.1:${await freePort()}`], undefined, 502);
  onTestFinished(down.stop);
  const { headers } = await fetch(`${down.origin}${MEMBERSHIP_PATH}/a-key?email=ada@example.com`);
  const id = headers.get("x-request-id");
  await expect.poll(down.log).toContain(id);
  const lines = down.log().trim().split("\n");
  const line = lines.map((each) => JSON.parse(each)).find(({ reqId }) => reqId === id);
  expect(line).toEqual({ ...FAILED, method: "GET", status: 502, upstream: "502, 502" });
});

test("one id leads from a visitor's error to the lines of nginx and the server, and no visitor chooses it", async () => {
  const server = await startBehindProxies((proxies) => startServer({ DATABASE_URL: context.url, ...proxies }));
  onTestFinished(server.stop);
  await context.db.pool.query("alter table totals rename to lost");
  onTestFinished(async () => void (await context.db.pool.query("alter table lost rename to totals")));
  const forged = "0".repeat(32);
  const response = await post(server.origin, undefined, { "x-request-id": forged });
  const { requestId } = await response.json();
  expect([response.status, response.headers.get("x-request-id")]).toEqual([500, requestId]);
  expect(requestId).not.toBe(forged);
  const line = { ...FAILED, reqId: requestId, method: "POST", status: 500, upstream: expect.stringMatching(/500$/) };
  await expect.poll(server.nginx.log).not.toBe("");
  expect(JSON.parse(server.nginx.log())).toEqual(line);
  const last = server.log().trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ reqId: requestId, err: { message: expect.stringContaining("totals") } });
});
