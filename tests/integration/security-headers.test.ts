import { hash } from "node:crypto";
import { once } from "node:events";
import { connect as openSocket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { exchange } from "#tests/support/exchange.ts";
import { post } from "#tests/support/post.ts";
import { postSignUp } from "#tests/support/requests.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ DATABASE_URL: context.url, PUBLIC_ORIGIN: "https://farwatch.example" });
});
afterAll(() => server.stop());

/** Written out instead of imported, so that weakening a header in the server fails a test. */
const COMMON_HEADERS = {
  "strict-transport-security": "max-age=63072000",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy":
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=()",
};
const API_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
const FILE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; worker-src 'self'; manifest-src 'self'; form-action 'self'; trusted-types farwatch-backdrop";
/** Like FILE_POLICY, except that a page allows only its own inline style. */
const pagePolicy = (html: string) => {
  const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style = ""]) =>
    hash("sha256", style, "base64"),
  );
  return FILE_POLICY.replace("style-src 'self'", `style-src 'sha256-${styles.join()}'`);
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("every response has the security headers", () => {
  const requests: [string, () => Promise<Response>, number, string | typeof pagePolicy][] = [
    ["the landing page", () => fetch(server.origin), 200, pagePolicy],
    ["the not-found page", () => fetch(`${server.origin}/nothing`), 404, pagePolicy],
    ["a static file", () => fetch(`${server.origin}/icon.svg`), 200, FILE_POLICY],
    ["a malformed path", () => fetch(`${server.origin}/%zz`), 404, pagePolicy],
    ["the stats", () => fetch(server.origin + STATS_PATH), 200, API_POLICY],
    ["a sign-up", () => post(server.origin), 201, API_POLICY],
    ["a form post", () => post(server.origin, "a=b", FORM), 303, API_POLICY],
    ["a wrong method", () => fetch(server.origin + WAITLIST_PATH, { method: "DELETE" }), 405, API_POLICY],
    ["an unknown API path", () => fetch(`${server.origin}/api/nothing`), 404, API_POLICY],
  ];
  test.each(requests)("%s", async (_name, send, status, policy) => {
    const response = await send();
    expect(response.status).toBe(status);
    const headers = Object.fromEntries(response.headers);
    const expected = typeof policy === "string" ? policy : policy(await response.text());
    expect(headers).toMatchObject({ ...COMMON_HEADERS, "content-security-policy": expected });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers).not.toHaveProperty("set-cookie");
    expect(headers).not.toHaveProperty("x-powered-by");
  });

  test.each([
    ["malformed HTTP", "hello", 400],
    ["no Host", "GET / HTTP/1.1\r\nconnection: close", 400],
    ["an unknown expectation", `GET ${STATS_PATH} HTTP/1.1\r\nhost: x\r\nexpect: x\r\nconnection: close`, 200],
    ["headers over 16 KiB", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"x".repeat(17_000)}`, 431],
  ])("%s", async (_name, request, status) => {
    const response = await exchange(server.origin, `${request}\r\n\r\n`);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    for (const [name, value] of Object.entries({ ...COMMON_HEADERS, "content-security-policy": API_POLICY }))
      expect(response).toContain(`${name}: ${value}\r\n`);
  });
});

test("HSTS_PRELOAD=yes includes all subdomains, also in the response to malformed HTTP", async () => {
  await using stack = new AsyncDisposableStack();
  const preloaded = await startServer({ DATABASE_URL: context.url, HSTS_PRELOAD: "yes" });
  stack.defer(preloaded.stop);
  const header = "max-age=63072000; includeSubDomains; preload";
  expect((await fetch(preloaded.origin)).headers.get("strict-transport-security")).toBe(header);
  expect(await exchange(preloaded.origin, "hello\r\n\r\n")).toContain(`strict-transport-security: ${header}\r\n`);
});

describe("CSRF protection accepts sign-ups only from our own site", () => {
  test.each([
    ["same-origin", { "sec-fetch-site": "same-origin" }, 201],
    ["user-initiated", { "sec-fetch-site": "none" }, 201],
    ["cross-site", { "sec-fetch-site": "cross-site" }, 403],
    ["another subdomain of our domain", { "sec-fetch-site": "same-site" }, 403],
    ["cross-site with our Origin", { "sec-fetch-site": "cross-site", origin: "https://farwatch.example" }, 403],
    ["an older browser, from our public origin", { origin: "https://farwatch.example" }, 201],
    ["an older browser, from another origin", { origin: "https://evil.example" }, 403],
    ["an opaque origin", { origin: "null" }, 403],
    ["a form post from another site", { "sec-fetch-site": "cross-site", ...FORM }, 403],
  ])("%s: %j → %i", async (_sender, headers, status) => {
    const response = await post(server.origin, aSignUp(), headers as unknown as Record<string, string>);
    expect(response.status).toBe(status);
    if (status === 403) expect(await response.json()).toMatchObject({ status });
  });

  test("two Host headers → 400", async () => {
    const bytes = postSignUp(aSignUp(), "host: evil.example\r\nconnection: close\r\n");
    const response = await exchange(server.origin, bytes);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("an older browser, from the server's own origin → 201", async () => {
    expect((await post(server.origin, aSignUp(), { origin: server.origin })).status).toBe(201);
  });
});

test("every script of the page has an integrity hash, preloaded ones too", async () => {
  const html = await (await fetch(server.origin)).text();
  const tags = html.match(/<(?:script|link)\b[^>]*\.js"[^>]*>/g) ?? [];
  expect(tags.length).toBeGreaterThanOrEqual(3);
  for (const tag of tags) expect(tag).toMatch(/integrity="sha384-[\w+/]{64}"/);
});

test("a slowloris request gets 408", async () => {
  const socket = openSocket(Number(new URL(server.origin).port), "127.0.0.1").setEncoding("utf8");
  socket.write("POST /api/waitlist HTTP/1.1\r\nhost: x\r\n");
  const trickle = setInterval(() => socket.write("x: y\r\n"), 500);
  const [response] = await once(socket, "data");
  clearInterval(trickle);
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  socket.destroy();
});

test("security.txt has its own contact and policy, and expires 330 days after each response", async () => {
  const response = await fetch(`${server.origin}/.well-known/security.txt`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toMatch(/^Contact: mailto:security@\S+$/m);
  expect(text).toMatch(/^# We reply within three business days\./m);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
  // An expiry computed at build time would be too early.
  expect(Math.abs(expires - Date.now() - 330 * 86_400_000)).toBeLessThan(5000);
});
