import { beforeEach, describe, expect, test, vi } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import {
  ADA,
  createBrowser,
  failed,
  ORIGIN,
  openTeamConsole,
  PEOPLE,
  useEmptyTeam,
} from "#tests/support/team-console.ts";

const { context, team, query } = useEmptyTeam();
const SESSION = "__Host-farwatch-session";
const count = async (table: string) => (await query(`select from ${table}`)).rowCount;

let browser: ReturnType<typeof createBrowser>;
beforeEach(async () => {
  await setRole(context.db, OPERATOR, "ada@example.com", "editor");
  browser = createBrowser(team);
});

test("signs in with the company's account and returns to the page", async () => {
  const url = new URL(await browser.start("/people?confirmed=yes"));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    redirect_uri: `${ORIGIN}/sign-in/callback`,
    response_type: "code",
    scope: "openid email",
    code_challenge_method: "S256",
  });
  expect(await browser.finish(team.provider.authorize(url.href, ADA))).toBe(`${PEOPLE}?confirmed=yes`);
  const attributes = "; Path=/; Secure; HttpOnly; SameSite=Lax";
  const pending = /^__Host-farwatch-sign-in-[\w-]{43}=[\w.-]+; Max-Age=600/;
  expect(browser.log).toEqual([
    expect.stringMatching(new RegExp(pending.source + attributes)),
    expect.stringMatching(/^__Host-farwatch-sign-in-[\w-]{43}=; Max-Age=0/),
    expect.stringMatching(new RegExp(`^${SESSION}=[\\w-]{43}; Max-Age=43200${attributes}$`)),
  ]);
  expect((await browser.get("/api/session")).json()).toMatchObject({ name: "ada@example.com", role: "editor" });
  const { rows } = await query("select actor, via, action, operator from activity order by id");
  expect(rows).toEqual([
    { actor: OPERATOR.name, via: OPERATOR.via, action: "make editor", operator: "ada@example.com" },
    { actor: "ada@example.com", via: "console", action: "sign in", operator: null },
  ]);
});

describe("refuses an ID token", () => {
  const now = Date.now() / 1000;
  test.each([
    ["for another nonce", { claims: { nonce: "another" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["of another issuer", { claims: { iss: "https://attacker.example" } }],
    ["for another client", { claims: { aud: "another" } }],
    ["for several clients, issued to another", { claims: { aud: ["console", "another"], azp: "another" } }],
    ["signed with another key", { isForged: true }],
    ["without a signature", { alg: "none" } as const],
    ["signed with the client's secret", { alg: "HS256" } as const],
    ["that expired more than 30 seconds ago", { claims: { iat: now - 400, exp: now - 40 } }],
  ])("%s", async (_name, fault) => {
    expect(await browser.signIn(ADA, fault)).toBe(failed("unavailable"));
    expect([await count("console_sessions"), browser.cookies.size]).toEqual([0, 0]);
  });

  test("but tolerates a clock that differs by 20 seconds", async () => {
    expect(await browser.signIn(ADA, { claims: { iat: now - 400, exp: Date.now() / 1000 - 20 } })).toBe(PEOPLE);
  });
});

describe("refuses a callback", () => {
  const authorize = async () => team.provider.authorize(await browser.start(), ADA);
  const having = (url: URL, parameters: Record<string, string>) => {
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  };

  test("with another state", async () => {
    expect(await browser.finish(having(await authorize(), { state: "A".repeat(43) }))).toBe(failed("expired"));
  });

  test("in another browser, even one that has a pending sign-in", async () => {
    const url = await authorize();
    const other = createBrowser(team);
    await other.start();
    expect(await other.finish(url)).toBe(failed("expired"));
    const [name = ""] = other.cookies.keys();
    expect(await other.finish(having(url, { state: name.slice(-43) }))).toBe(failed("expired"));
  });

  test("whose pending sign-in was renamed, forged, or started ten minutes ago", async () => {
    const url = await authorize();
    const [[name, sealed] = ["", ""]] = browser.cookies;
    const renamed = `${name.slice(0, -43)}${"A".repeat(43)}`;
    browser.cookies.set(renamed, sealed);
    expect(await browser.finish(having(new URL(url), { state: "A".repeat(43) }))).toBe(failed("expired"));
    browser.cookies.set(name, btoa(JSON.stringify({ state: name.slice(-43) })));
    expect(await browser.finish(url)).toBe(failed("expired"));
    const late = await authorize();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 });
    expect(await browser.finish(late)).toBe(failed("expired"));
    vi.useRealTimers();
  });

  test("with a code that was used, or is too old", async () => {
    const url = await authorize();
    const cookies = [...browser.cookies];
    expect(await browser.finish(url)).toBe(PEOPLE);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(await browser.finish(url)).toBe(failed("expired"));
    const old = await authorize();
    team.provider.expireCodes();
    expect(await browser.finish(old)).toBe(failed("expired"));
    expect(await count("console_sessions")).toBe(1);
  });

  test("that names another issuer, or says that the person declined", async () => {
    const iss = "https://attacker.example";
    expect(await browser.finish(having(await authorize(), { iss }))).toBe(failed("unavailable"));
    expect(await browser.finish(having(await authorize(), { error: "access_denied" }))).toBe(failed("refused"));
  });
});

const ELSEWHERE =
  "https://attacker.example/ //attacker.example/ /\\attacker.example/ /.//attacker.example x:y .attacker.example/";
test.each(ELSEWHERE.split(" "))("never leads to another site after signing in: %j", async (to) => {
  const url = team.provider.authorize(await browser.start(to), ADA);
  expect(new URL(await browser.finish(url), ORIGIN).origin).toBe(ORIGIN);
});

test("a sign-in ends the browser's last session, and takes no session id from outside", async () => {
  browser.cookies.set(SESSION, "A".repeat(43));
  await browser.signIn();
  const first = browser.cookies.get(SESSION);
  await browser.signIn();
  expect(new Set(["A".repeat(43), first, browser.cookies.get(SESSION)]).size).toBe(3);
  expect(await count("console_sessions")).toBe(1);
});

test("keeps at most five pending sign-ins, the newest, and another website can't start one", async () => {
  const urls: string[] = [];
  await browser.get("/sign-in", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" });
  expect(browser.cookies.size).toBe(0);
  for (let tab = 0; tab < 7; tab += 1) urls.push(await browser.start(tab === 2 ? "/people" : `/${"€".repeat(300)}`));
  expect(browser.cookies.size).toBe(5);
  // nginx refuses a longer header.
  expect([...browser.cookies].join("; ").length).toBeLessThan(8000);
  expect(await browser.finish(team.provider.authorize(urls[1] ?? "", ADA))).toBe(failed("expired"));
  expect(await browser.finish(team.provider.authorize(urls[2] ?? "", ADA))).toBe(PEOPLE);
});

test("forwarded headers change neither the callback's address nor, from a stranger, the client's", async () => {
  const forged = { "x-forwarded-host": "attacker.example", "x-forwarded-proto": "http" };
  const { location } = (await browser.get("/sign-in", forged)).headers;
  expect(location).toContain(encodeURIComponent(`${ORIGIN}/sign-in/callback`));
  for (const [path, earlier] of Object.entries({ "/sign-in": 1, "/sign-in/callback?state=x": 0 })) {
    const statuses = [];
    for (let i = earlier; i < 21; i += 1)
      statuses.push((await browser.get(path, { "x-forwarded-for": `203.0.113.${i}` })).statusCode);
    expect(statuses).toEqual([...Array(20 - earlier).fill(302), 429]);
  }
});

test.each([
  [{ CONSOLE_ORIGIN: "http://console.example.com" }, "CONSOLE_ORIGIN must be an https:// origin"],
  [{ OIDC_ISSUER: "http://login.example.com" }, "OIDC_ISSUER must be an https:// URL"],
  [{ OIDC_ISSUER: "https://login.microsoftonline.com/common/v2.0" }, "OIDC_ISSUER must name your own tenant"],
  [{ OIDC_ISSUER: "https://login.microsoftonline.com/Organizations/v2.0" }, "OIDC_ISSUER must name your own tenant"],
  [{ OIDC_ISSUER: "https://login.microsoftonline.com/tenant/v2.0" }, "OIDC_ROLE_CLAIM is needed with Microsoft Entra"],
  [{ OIDC_CLIENT_ID: "" }, "OIDC_CLIENT_ID must be set too"],
])("refuses to start with %j", async (settings, message) => {
  await expect(openTeamConsole(context.db, { ...team }, settings)).rejects.toThrow(message);
});
