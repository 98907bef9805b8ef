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

const ourPoints = {
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

// 145 would need a Secure SameSite cookie and a place on the HSTS preload list, 5 points each.
test("the page scores 135 on the HTTP Observatory, the maximum without cookies and HSTS preloading", async () => {
  expect(observatory(await visitPage(server.origin))).toEqual({ score: 135, points: ourPoints });
});

type Weakening = (page: Visit) => void;

function dropHeaders(...names: string[]): Weakening {
  return ({ headers }) => {
    for (const name of names) headers.delete(name);
  };
}

function setHeader(name: string, value: string): Weakening {
  return ({ headers }) => headers.set(name, value);
}

function allowSource(directive: string, sources: string): Weakening {
  return setHeader(CSP, PAGE_POLICY.replace(new RegExp(`${directive}[^;]*`), `${directive} ${sources}`));
}

function loadScript(address: string): Weakening {
  return (page) => {
    page.html = page.html.replace(/<script type="module"[^>]*>/, `<script src="${address}">`);
  };
}

const allowAnyOrigin: Weakening = ({ preflight }) => {
  preflight.set("access-control-allow-origin", FOREIGN_ORIGIN);
  preflight.set("access-control-allow-credentials", "true");
};

test.each<[string, number, Weakening, Partial<typeof ourPoints>]>([
  ["no CSP", 75, dropHeaders(CSP), { [CSP]: -25, "x-frame-options": 0 }],
  ["a CSP directive twice", 75, setHeader(CSP, `${PAGE_POLICY}; img-src *`), { [CSP]: -25, "x-frame-options": 0 }],
  ["inline scripts", 80, allowSource("script-src", "'self' 'unsafe-inline'"), { [CSP]: -20 }],
  ["requests over HTTP", 80, allowSource("connect-src", "http://api.example"), { [CSP]: -20 }],
  ["eval", 115, allowSource("script-src", "'self' 'unsafe-eval'"), { [CSP]: -10 }],
  ["images over HTTP", 115, allowSource("img-src", "http:"), { [CSP]: -10 }],
  ["inline styles", 125, allowSource("style-src", "'unsafe-inline'"), { [CSP]: 0 }],
  ["a default-src other than none", 130, allowSource("default-src", "'self'"), { [CSP]: 5 }],
  ["framing by any site", 55, dropHeaders(CSP, "x-frame-options"), { [CSP]: -25, "x-frame-options": -20 }],
  ["no HSTS", 80, dropHeaders(HSTS), { [HSTS]: -20 }],
  ["HSTS for one day", 125, setHeader(HSTS, "max-age=86400"), { [HSTS]: -10 }],
  ["MIME sniffing", 130, dropHeaders("x-content-type-options"), { "x-content-type-options": -5 }],
  ["full URLs as referrers", 125, setHeader("referrer-policy", "unsafe-url"), { "referrer-policy": -5 }],
  ["no Cross-Origin-Resource-Policy", 125, dropHeaders(CORP), { [CORP]: 0 }],
  ["a script without SRI", 130, loadScript("/a.js"), { "subresource-integrity": 0 }],
  ["a cross-site script without SRI", 125, loadScript("https://cdn.example/a.js"), { "subresource-integrity": -5 }],
  ["a cross-site script over HTTP", 50, loadScript("http://cdn.example/a.js"), { "subresource-integrity": -50 }],
  ["a cookie without Secure", 130, setHeader("set-cookie", "seen=1"), { cookies: -5 }],
  ["a session cookie without HttpOnly", 70, setHeader("set-cookie", "session=1; Secure"), { cookies: -30 }],
  ["credentialed CORS for any origin", 50, allowAnyOrigin, { [CORS]: -50 }],
])("with %s the page would score %i", async (_weakness, score, weaken, points) => {
  const page = await visitPage(server.origin);
  weaken(page);
  expect(observatory(page)).toEqual({ score, points: { ...ourPoints, ...points } });
});
