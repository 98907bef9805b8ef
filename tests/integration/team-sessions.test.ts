import { beforeEach, describe, expect, test } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { purge } from "#core/retention/purge.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { ADA, createBrowser, ORIGIN, useEmptyTeam } from "#tests/support/team-console.ts";

const { context, team, query } = useEmptyTeam();
const waitlist = (...args: string[]) => runCommand({ DATABASE_URL: context.url }, ["console", ...args]);

type Browser = ReturnType<typeof createBrowser>;
let browser: Browser;
beforeEach(async () => {
  await setRole(context.db, OPERATOR, "ada@example.com", "admin");
  browser = createBrowser(team);
  await browser.signIn();
});

const status = async (from: Browser = browser, headers = {}) => (await from.get("/api/people", headers)).statusCode;
const apiRoutes = () => team.routes.filter(({ access }) => access !== "page");
const call = async (from: Browser, { method, url }: { method: string; url: string }, headers = {}) => {
  const framed = { "sec-fetch-dest": "iframe", ...headers };
  return (await (method === "GET" ? from.get(url, framed) : from.post(url, {}, framed))).statusCode;
};

/** The distinct statuses of all routes of the API. */
async function walk(from: Browser, headers: Record<string, string> = {}): Promise<number[]> {
  expect(apiRoutes().length).toBeGreaterThan(40);
  return [...new Set(await Promise.all(apiRoutes().map((route) => call(from, route, headers))))];
}

test("every route of the API refuses a browser without a session, or with a made-up one or a stored hash", async () => {
  const stranger = createBrowser(team);
  expect(await walk(stranger)).toEqual([401]);
  const { rows } = await query("select encode(token_hash, 'base64') as hash from console_sessions");
  for (const id of ["A".repeat(43), rows[0].hash]) {
    stranger.cookies.set("__Host-farwatch-session", id);
    expect(await walk(stranger)).toEqual([401]);
  }
  expect((await stranger.get("/api/session")).json()).toMatchObject({
    mode: "team",
    provider: "127.0.0.1",
    renew: false,
  });
});

test("a session written into the database opens nothing, and nobody's own session becomes an admin's", async () => {
  await setRole(context.db, OPERATOR, "bob@example.com", "viewer");
  const [forger, bob] = [createBrowser(team), createBrowser(team)];
  await bob.signIn({ ...ADA, sub: "bob", email: "bob@example.com" });
  const forge = (hash: string) =>
    query(`insert into console_sessions (token_hash, issuer, email, id_token)
      select ${hash}, issuer, email, id_token from console_sessions where email = 'ada@example.com' limit 1`);
  forger.cookies.set("__Host-farwatch-session", "A".repeat(43));
  await forge(`sha256('${"A".repeat(43)}')`);
  expect(await walk(forger)).toEqual([401]);
  const { rows } = await query("delete from console_sessions where email = 'bob@example.com' returning token_hash");
  await forge(`'\\x${rows[0].token_hash.toString("hex")}'`);
  expect(await walk(bob)).toEqual([401]);
  expect(await status()).toBe(200);
});

test.each([
  ["another site", { "sec-fetch-site": "cross-site" }, 403],
  ["another site's link", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" }, 403],
  ["a neighboring host", { "sec-fetch-site": "same-site" }, 403],
  ["the address bar", { "sec-fetch-site": "none" }, 403],
  ["a program that isn't a browser", { "sec-fetch-site": "" }, 403],
  ["another Host", { host: "attacker.example" }, 421],
  ["another Host with a forwarded one", { host: "attacker.example", "x-forwarded-host": "console.example.com" }, 421],
])("every route of the API refuses %s", async (_name, headers, refusal) => {
  expect(await walk(browser, headers)).toEqual([refusal]);
});

test.each(["https://attacker.example", "null", "", `${ORIGIN}.attacker.example`, "http://console.example.com"])(
  "changes need the console's own Origin, not %j",
  async (origin) => {
    expect((await browser.post("/api/sign-out", {}, { origin })).statusCode).toBe(403);
    expect(await status()).toBe(200);
  },
);

test("a link from another site opens the page, which has no data; its scripts and frames get nothing", async () => {
  const from = async (dest: string) =>
    (await browser.get("/people", { "sec-fetch-site": "cross-site", "sec-fetch-dest": dest })).statusCode;
  expect(await from("document")).toBe(200);
  for (const dest of ["iframe", "script", "empty"]) expect(await from(dest)).toBe(403);
});

describe("a session ends", () => {
  const age = (column: string, interval: string) =>
    query(`update console_sessions set ${column} = now() - interval '${interval}'`);

  test("after 30 minutes without use; polling isn't use, and use is recorded once a minute at most", async () => {
    const isSeen = async (headers = {}) => {
      expect(await status(browser, headers)).toBe(200);
      return (
        (await query("select from console_sessions where last_seen_at > now() - interval '5 seconds'")).rowCount === 1
      );
    };
    await age("last_seen_at", "29 minutes");
    expect([await isSeen({ "x-polling": "1" }), await isSeen()]).toEqual([false, true]);
    await age("last_seen_at", "50 seconds");
    expect(await isSeen()).toBe(false);
    await age("last_seen_at", "31 minutes");
    expect(await status()).toBe(401);
  });

  test("12 hours after its start, even if it is used", async () => {
    await age("created_at", "11 hours 59 minutes");
    expect(await status()).toBe(200);
    await age("created_at", "12 hours 1 minute");
    expect(await status()).toBe(401);
  });

  test("when the person signs out, also at the provider", async () => {
    const stolen = createBrowser(team);
    for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
    const { origin, pathname, searchParams } = new URL((await browser.post("/api/sign-out")).json().location);
    expect(origin + pathname).toBe(`${team.provider.issuer}/end-session`);
    expect(searchParams.get("post_logout_redirect_uri")).toBe(`${ORIGIN}/signed-out`);
    expect(searchParams.get("id_token_hint")?.split(".")).toHaveLength(3);
    expect(browser.cookies.size).toBe(0);
    expect(await walk(stolen)).toEqual([401]);
  });

  test("when someone signs out whose role was taken away", async () => {
    await setRole(context.db, OPERATOR, "ada@example.com", null);
    expect((await browser.post("/api/sign-out")).json().location).toContain("/end-session?");
    expect((await browser.post("/api/sign-out")).json()).toEqual({ location: "/signed-out" });
    await setRole(context.db, OPERATOR, "ada@example.com", "admin");
    expect(await status()).toBe(401);
  });

  test("when the person's role is taken away", async () => {
    await waitlist("roles", "remove", "ada@example.com");
    expect(await walk(browser)).toEqual([401]);
  });

  test("when an operator ends it on the command line", async () => {
    for (const which of ["Ada@example.com", "--all"]) {
      await browser.signIn();
      expect(await waitlist("sign-out", which)).toMatchObject({ stdout: "Ended 1 session.\n" });
      expect(await status()).toBe(401);
    }
  });

  test("when an admin ends it", async () => {
    await setRole(context.db, OPERATOR, "bob@example.com", "viewer");
    const bob = createBrowser(team);
    await bob.signIn({ ...ADA, sub: "bob", email: "bob@example.com" });
    const sessions = (await browser.get("/api/sessions")).json();
    expect(sessions).toMatchObject([
      { email: "bob@example.com", role: "viewer", isYours: false },
      { email: "ada@example.com", role: "admin", isYours: true },
    ]);
    expect((await browser.post(`/api/sessions/${sessions[0].id}/end`)).statusCode).toBe(204);
    expect([await status(bob), await status()]).toEqual([401, 200]);
    const { rows } = await query("select actor, operator from activity where action = 'end sessions'");
    expect(rows).toEqual([{ actor: "ada@example.com", operator: "bob@example.com" }]);
  });
});

test("the nightly purge deletes ended sessions, refusals after 30 days and operators' addresses after a year", async () => {
  await query("insert into console_operators values ('i', 'old', 'old@x.test', now() - interval '366 days')");
  await query(`
    insert into activity (actor, via, action, operator, at) select actor, 'console', action, 'x@x.test', now() - age::interval
    from (values ('old@x.test', 'sign in', '366 days'), ('root', 'make admin', '366 days'), ('new@x.test', 'sign in', '364 days'),
      ('eve@x.test', 'refuse sign-in', '31 days')) as entry (actor, action, age)`);
  await query("update console_sessions set last_seen_at = now() - interval '31 minutes'");
  await purge(context.db, OPERATOR, {}, new Date());
  const { rows } = await query(
    "select actor, operator from activity where at < now() - interval '1 day' order by actor",
  );
  expect(rows).toEqual([
    { actor: "former operator", operator: null },
    { actor: "new@x.test", operator: "x@x.test" },
    { actor: "root", operator: null },
  ]);
  expect((await query("select email from console_operators")).rows).toEqual([{ email: "ada@example.com" }]);
  expect((await query("select from console_sessions")).rows).toEqual([]);
});
