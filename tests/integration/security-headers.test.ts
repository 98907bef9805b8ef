import { once } from "node:events";
import { connect as openSocket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { PAGE_POLICY, SECURITY_HEADERS } from "#server/http/security-headers.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ DATABASE_URL: context.url, PUBLIC_ORIGIN: "https://farwatch.example" });
});
afterAll(() => server.stop());

const { "content-security-policy": closedPolicy, ...everywhere } = SECURITY_HEADERS;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

describe("every answer carries the security headers", () => {
  const answers: [string, () => Promise<Response>, number, string][] = [
    ["the page", () => fetch(server.origin), 200, PAGE_POLICY],
    ["the not-found page", () => fetch(`${server.origin}/nothing`), 404, PAGE_POLICY],
    ["a file", () => fetch(`${server.origin}/icon.svg`), 200, PAGE_POLICY],
    ["an address that can't be read", () => fetch(`${server.origin}/%zz`), 404, PAGE_POLICY],
    ["the stats", () => fetch(server.origin + STATS_PATH), 200, closedPolicy],
    ["a sign-up", () => post(server.origin), 201, closedPolicy],
    ["a bad sign-up", () => post(server.origin, "{"), 400, closedPolicy],
    ["a form", () => post(server.origin, "a=b", FORM), 303, closedPolicy],
    ["a wrong method", () => fetch(server.origin + WAITLIST_PATH, { method: "DELETE" }), 405, closedPolicy],
    ["an unknown API path", () => fetch(`${server.origin}/api/nothing`), 404, closedPolicy],
  ];
  test.each(answers)("%s", async (_name, ask, status, policy) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({ ...everywhere, "content-security-policy": policy });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(headers).not.toHaveProperty("set-cookie");
    expect(headers).not.toHaveProperty("x-powered-by");
  });

  test("what isn't HTTP", async () => {
    const socket = openSocket(Number(new URL(server.origin).port), "127.0.0.1");
    socket.setEncoding("utf8").write("hello\r\n\r\n");
    const [answer] = await once(socket, "data");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer).toContain(`${name}: ${value}\r\n`);
    socket.destroy();
  });
});

describe("a sign-up is taken from our own page and from no other site", () => {
  const refused = { status: 403 };
  test.each([
    ["same-origin", { "sec-fetch-site": "same-origin" }, 201],
    ["typed by the visitor", { "sec-fetch-site": "none" }, 201],
    ["cross-site", { "sec-fetch-site": "cross-site" }, 403],
    ["a neighbour under the same domain", { "sec-fetch-site": "same-site" }, 403],
    [
      "cross-site, whatever its origin claims",
      { "sec-fetch-site": "cross-site", origin: "https://farwatch.example" },
      403,
    ],
    ["an older browser, from our public address", { origin: "https://farwatch.example" }, 201],
    ["an older browser, from elsewhere", { origin: "https://evil.example" }, 403],
    ["an origin that hides itself", { origin: "null" }, 403],
    [
      "a form of another site",
      { "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" },
      403,
    ],
  ])("%s: %j → %i", async (_who, headers, status) => {
    const answer = await post(server.origin, aSignUp(), headers as unknown as Record<string, string>);
    expect(answer.status).toBe(status);
    if (status === 403) expect(await answer.json()).toMatchObject(refused);
  });

  test("an older browser, from the address it asked", async () => {
    expect((await post(server.origin, aSignUp(), { origin: server.origin })).status).toBe(201);
  });
});

test("every script and style that the page names is pinned to its content", async () => {
  const html = await (await fetch(server.origin)).text();
  const tags = html.match(/<(?:script|link)\b[^>]*\.(?:js|css)"[^>]*>/g) ?? [];
  expect(tags.length).toBeGreaterThanOrEqual(2);
  for (const tag of tags) expect(tag).toMatch(/integrity="sha384-[\w+/]{64}"/);
});

test("a request that is sent in drops is answered 408 before long", async () => {
  const socket = openSocket(Number(new URL(server.origin).port), "127.0.0.1").setEncoding("utf8");
  socket.write("POST /api/waitlist HTTP/1.1\r\nhost: x\r\n");
  const drops = setInterval(() => socket.write("x: y\r\n"), 500);
  const [answer] = await once(socket, "data");
  clearInterval(drops);
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  socket.destroy();
}, 10_000);

test("security.txt says whom to tell, and until when that is true", async () => {
  const answer = await fetch(`${server.origin}/.well-known/security.txt`);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^Contact: mailto:\S+@\S+$/m);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
  expect(expires).toBeGreaterThan(Date.now() + 86_400_000);
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});
