import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGE_POLICY } from "#server/http/security-headers.ts";
import { FOREIGN_ORIGIN, observatory, type Visit, visitPage } from "#tests/support/observatory.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ DATABASE_URL: context.url });
});
afterAll(() => server.stop());

const CSP = "content-security-policy";
const CORP = "cross-origin-resource-policy";
const CORS = "cross-origin-resource-sharing";
const HSTS = "strict-transport-security";

const ours = {
  [CSP]: 10,
  cookies: 0,
  [CORP]: 10,
  [CORS]: 0,
  "referrer-policy": 5,
  [HSTS]: 0,
  "subresource-integrity": 5,
  "x-content-type-options": 0,
  "x-frame-options": 5,
};

// 145 would take a cookie, set well, and a place on the browsers' preload list: 5 points each.
test("the page has the HTTP Observatory's 135, all there is without cookies and a place on the preload list", async () => {
  expect(observatory(await visitPage(server.origin))).toEqual({ score: 135, points: ours });
});

type Weakening = (page: Visit) => void;

function drop(...names: string[]): Weakening {
  return ({ headers }) => {
    for (const name of names) headers.delete(name);
  };
}

function send(name: string, value: string): Weakening {
  return ({ headers }) => headers.set(name, value);
}

function allow(directive: string, sources: string): Weakening {
  return send(CSP, PAGE_POLICY.replace(new RegExp(`${directive}[^;]*`), `${directive} ${sources}`));
}

function load(address: string): Weakening {
  return (page) => {
    page.html = page.html.replace(/<script type="module"[^>]*>/, `<script src="${address}">`);
  };
}

const shareWithStrangers: Weakening = ({ preflight }) => {
  preflight.set("access-control-allow-origin", FOREIGN_ORIGIN);
  preflight.set("access-control-allow-credentials", "true");
};

test.each<[string, number, Weakening, Partial<typeof ours>]>([
  ["no policy", 75, drop(CSP), { [CSP]: -25, "x-frame-options": 0 }],
  ["a directive twice", 75, send(CSP, `${PAGE_POLICY}; img-src *`), { [CSP]: -25, "x-frame-options": 0 }],
  ["inline scripts", 80, allow("script-src", "'self' 'unsafe-inline'"), { [CSP]: -20 }],
  ["calls over HTTP", 80, allow("connect-src", "http://api.example"), { [CSP]: -20 }],
  ["eval", 115, allow("script-src", "'self' 'unsafe-eval'"), { [CSP]: -10 }],
  ["pictures over HTTP", 115, allow("img-src", "http:"), { [CSP]: -10 }],
  ["inline styles", 125, allow("style-src", "'unsafe-inline'"), { [CSP]: 0 }],
  ["a default other than none", 130, allow("default-src", "'self'"), { [CSP]: 5 }],
  ["frames anywhere", 55, drop(CSP, "x-frame-options"), { [CSP]: -25, "x-frame-options": -20 }],
  ["no HSTS", 80, drop(HSTS), { [HSTS]: -20 }],
  ["HSTS for a day", 125, send(HSTS, "max-age=86400"), { [HSTS]: -10 }],
  ["types guessed", 130, drop("x-content-type-options"), { "x-content-type-options": -5 }],
  ["addresses told to other sites", 125, send("referrer-policy", "unsafe-url"), { "referrer-policy": -5 }],
  ["no resource policy", 125, drop(CORP), { [CORP]: 0 }],
  ["an unpinned script", 130, load("/a.js"), { "subresource-integrity": 0 }],
  ["an unpinned script of another site", 125, load("https://cdn.example/a.js"), { "subresource-integrity": -5 }],
  ["the same over HTTP", 50, load("http://cdn.example/a.js"), { "subresource-integrity": -50 }],
  ["a cookie that may leave TLS", 130, send("set-cookie", "seen=1"), { cookies: -5 }],
  ["a session that scripts can read", 70, send("set-cookie", "session=1; Secure"), { cookies: -30 }],
  ["answers shared with strangers", 50, shareWithStrangers, { [CORS]: -50 }],
])("with %s it would have %i", async (_weakness, score, weaken, points) => {
  const page = await visitPage(server.origin);
  weaken(page);
  expect(observatory(page)).toEqual({ score, points: { ...ours, ...points } });
});
