import { beforeEach, describe, expect, test } from "vitest";
import { setRole, type TeamRole } from "#core/operators/team-roles.ts";
import { purge } from "#core/retention/purge.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { rolesFor } from "#tests/support/console-roles.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { ADA, createBrowser, ORIGIN, useTeamConsole } from "#tests/support/team-console.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const team = useTeamConsole(() => context.db);
const claimed = useTeamConsole(() => context.db, { OIDC_ROLE_CLAIM: "roles" });
const query = (sql: string) => context.db.pool.query(sql);
const waitlist = (...args: string[]) => runCommand({ DATABASE_URL: context.url }, ["console", ...args]);

type Browser = ReturnType<typeof createBrowser>;
let browser: Browser;
beforeEach(async () => {
  await query("truncate console_operators, console_sessions, console_roles, activity");
  await setRole(context.db, OPERATOR, "ada@example.com", "admin");
  browser = createBrowser(team);
  await browser.signIn();
});

const status = async (from: Browser = browser, headers = {}) => (await from.get("/api/people", headers)).statusCode;
/** The API's routes; signing out is tested apart, because it would end the walk. */
const apiRoutes = () => team.routes.filter(({ access, url }) => access !== "page" && url !== "/api/sign-out");
const call = async (from: Browser, { method, url }: { method: string; url: string }, headers: Record<string, string>) =>
  (await (method === "GET" ? from.get(url, headers) : from.post(url, {}, headers))).statusCode;

/** The distinct statuses of all routes of the API. */
async function walk(from: Browser, headers: Record<string, string> = {}): Promise<number[]> {
  const routes = [...apiRoutes(), { method: "POST", url: "/api/sign-out" }];
  expect(routes.length).toBeGreaterThan(40);
  return [
    ...new Set(await Promise.all(routes.map((route) => call(from, route, { "sec-fetch-dest": "iframe", ...headers })))),
  ];
}

test("every route of the API refuses a browser without a session, and one with another's id", async () => {
  const stranger = createBrowser(team);
  expect(await walk(stranger)).toEqual([401]);
  stranger.cookies.set("__Host-farwatch-session", "A".repeat(43));
  expect(await walk(stranger)).toEqual([401]);
  expect((await stranger.get("/api/session")).json()).toMatchObject({ mode: "team", renew: false });
  const { rows } = await query("select encode(token_hash, 'base64') as hash from console_sessions");
  stranger.cookies.set("__Host-farwatch-session", rows[0].hash);
  expect(await walk(stranger)).toEqual([401]);
});

test.each<TeamRole>(["viewer", "editor", "admin"])("the role %s calls only its routes", async (role) => {
  await setRole(context.db, OPERATOR, "ada@example.com", role);
  const refused = [];
  for (const route of apiRoutes()) {
    if ((await call(browser, route, { "sec-fetch-dest": "iframe" })) === 403) refused.push(route);
  }
  expect(refused).toEqual(apiRoutes().filter((route) => !rolesFor(route).includes(role)));
});

test.each([
  ["another site", { "sec-fetch-site": "cross-site" }, 403],
  ["another site's link", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" }, 403],
  ["a neighboring host", { "sec-fetch-site": "same-site" }, 403],
  ["the address bar", { "sec-fetch-site": "none" }, 403],
  ["a program that isn't a browser", { "sec-fetch-site": "" }, 403],
  ["another Host", { host: "attacker.example" }, 421],
  ["another Host that a proxy forwards", { host: "attacker.example", "x-forwarded-host": "console.example.com" }, 421],
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

test("a link from another site opens the page, which has no data; a script or frame of it gets nothing", async () => {
  const from = (dest: string) => ({ "sec-fetch-site": "cross-site", "sec-fetch-dest": dest });
  const page = await browser.get("/people", from("document"));
  expect(page).toMatchObject({ statusCode: 200, headers: { "x-frame-options": "DENY" } });
  for (const dest of ["iframe", "script", "empty"])
    expect((await browser.get("/people", from(dest))).statusCode).toBe(403);
});

describe("a session ends", () => {
  const age = (column: string, interval: string) =>
    query(`update console_sessions set ${column} = now() - interval '${interval}'`);

  test("after 30 minutes without use, which polling doesn't prevent", async () => {
    await age("last_seen_at", "29 minutes");
    const polls = { "x-polling": "1" };
    expect(await status(browser, polls)).toBe(200);
    await age("last_seen_at", "31 minutes");
    expect([await status(), await status(browser, polls)]).toEqual([401, 401]);
    expect(
      (await query("select from console_sessions where last_seen_at > now() - interval '1 minute'")).rowCount,
    ).toBe(0);
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
    const { location } = (await browser.post("/api/sign-out")).json();
    const url = new URL(location);
    expect(url.origin + url.pathname).toBe(`${team.provider.issuer}/end-session`);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${ORIGIN}/signed-out`);
    expect(url.searchParams.get("id_token_hint")?.split(".")).toHaveLength(3);
    expect(browser.cookies.size).toBe(0);
    expect(await walk(stolen)).toEqual([401]);
  });

  test("when the person's role is taken away", async () => {
    await waitlist("roles", "remove", "ada@example.com");
    expect(await walk(browser)).toEqual([401]);
    expect(await browser.signIn()).toBe("/sign-in-failed?reason=refused");
  });

  test("when an operator ends it on the command line", async () => {
    expect(await waitlist("sign-out", "Ada@example.com")).toMatchObject({ stdout: "Ended 1 session.\n" });
    expect(await status()).toBe(401);
    await browser.signIn();
    expect(await waitlist("sign-out", "--all")).toMatchObject({ stdout: "Ended 1 session.\n" });
    expect(await status()).toBe(401);
  });

  test("when an admin ends it", async () => {
    await setRole(context.db, OPERATOR, "bob@example.com", "viewer");
    const bob = createBrowser(team);
    await bob.signIn({ ...ADA, sub: "bob", email: "bob@example.com" });
    const sessions: { id: string; email: string }[] = (await browser.get("/api/sessions")).json();
    expect(sessions).toMatchObject([
      { email: "bob@example.com", role: "viewer", isYours: false },
      { email: "ada@example.com", role: "admin", isYours: true },
    ]);
    const { id = "" } = sessions.find(({ email }) => email === "bob@example.com") ?? {};
    expect((await browser.post(`/api/sessions/${id}/end`)).statusCode).toBe(204);
    expect([await status(bob), await status()]).toEqual([401, 200]);
    expect((await browser.get("/api/activity")).json().entries[0]).toMatchObject({
      actor: "ada@example.com",
      before: "ended the sessions of bob@example.com",
    });
  });
});

test("use is recorded at most once a minute", async () => {
  const seen = async () => (await query("select last_seen_at::text from console_sessions")).rows[0].last_seen_at;
  await query("update console_sessions set last_seen_at = now() - interval '50 seconds'");
  const before = await seen();
  await status();
  expect(await seen()).toBe(before);
  await query("update console_sessions set last_seen_at = now() - interval '70 seconds'");
  await status();
  expect((await seen()) > before).toBe(true);
});

describe("with OIDC_ROLE_CLAIM", () => {
  const signIn = async (roles: unknown) => {
    const other = createBrowser(claimed);
    const location = await other.signIn({ ...ADA, sub: "carl", email: "carl@example.com", roles });
    return { other, location, session: (await other.get("/api/session")).json() };
  };

  test.each([["viewer"], [["editor", "other"]], [["viewer", "admin"]]])("the claim %j is a role", async (roles) => {
    expect((await signIn(roles)).session.role).toBe([roles].flat().findLast((role) => role !== "other"));
  });

  test.each([
    undefined,
    "Admin",
    "admin ",
    "viewer,admin",
    "read-only",
    "constructor",
    { admin: true },
    [["admin"]],
    true,
  ])("the claim %j is no role, and the list of roles doesn't count", async (roles) => {
    await setRole(context.db, OPERATOR, "@example.com", "admin");
    const { location, other } = await signIn(roles);
    expect(location).toBe("/sign-in-failed?reason=refused");
    expect(await status(other)).toBe(401);
  });

  test("the claim counts for an hour, then the page signs in again", async () => {
    const { other } = await signIn("admin");
    await query("update console_sessions set created_at = now() - interval '61 minutes'");
    expect((await other.get("/api/people")).json()).toMatchObject({ mode: "team", renew: true });
    expect(await other.signIn({ ...ADA, sub: "carl", email: "carl@example.com", roles: ["viewer"] })).toBe(
      `${ORIGIN}/people`,
    );
    expect((await other.get("/api/session")).json().role).toBe("viewer");
  });
});

test("the nightly purge deletes ended sessions, old refusals and operators' addresses after a year", async () => {
  await query(
    "insert into console_operators (issuer, subject, email, signed_in_at) values ('i', 'old', 'old@x.test', now() - interval '366 days')",
  );
  for (const [actor, action, days] of [
    ["old@x.test", "sign in", 366],
    ["root", "make admin", 366],
    ["new@x.test", "sign in", 364],
    ["eve@x.test", "refuse sign-in", 31],
  ]) {
    await query(
      `insert into activity (actor, via, action, operator, at) values ('${actor}', 'console', '${action}', 'x@x.test', now() - interval '${days} days')`,
    );
  }
  await query("update console_sessions set last_seen_at = now() - interval '31 minutes'");
  const rules = { launchDate: undefined, unconfirmedSince: undefined, backupDays: undefined };
  await purge(context.db, OPERATOR, rules, new Date());
  const left = await query(
    "select actor, operator from activity where via = 'console' and action <> 'purge' order by id desc limit 3",
  );
  expect(left.rows).toEqual([
    { actor: "new@x.test", operator: "x@x.test" },
    { actor: "root", operator: null },
    { actor: "former operator", operator: null },
  ]);
  expect((await query("select email from console_operators")).rows).toEqual([{ email: "ada@example.com" }]);
  expect((await query("select from console_sessions")).rowCount).toBe(0);
});

test("operators list, set and remove roles", async () => {
  expect(await waitlist("roles", "set", "@Example.com", "viewer")).toMatchObject({ code: 0 });
  expect(await waitlist("--json", "roles")).toMatchObject({ stdout: expect.stringContaining('"@example.com"') });
  expect(await waitlist("roles", "set", "@example.com", "root")).toMatchObject({ code: 2 });
  expect(await waitlist("roles", "set", "example.com", "viewer")).toMatchObject({ code: 2 });
  expect(await waitlist("roles", "remove", "@example.com")).toMatchObject({ code: 0 });
  expect(await waitlist("roles", "remove", "@example.com")).toMatchObject({ code: 1 });
  expect(await waitlist("forget", "nobody@example.com")).toMatchObject({ code: 1 });
});
