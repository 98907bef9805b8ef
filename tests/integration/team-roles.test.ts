import { describe, expect, test } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { ADA, createBrowser, failed, PEOPLE, useEmptyTeam } from "#tests/support/team-console.ts";

const { context, team, query } = useEmptyTeam({ OIDC_ROLE_CLAIM: "roles" });

describe("with OIDC_ROLE_CLAIM", () => {
  const CARL = { ...ADA, sub: "carl", email: "carl@example.com" };
  const signIn = async (roles: unknown) => {
    const other = createBrowser(team);
    return { other, location: await other.signIn({ ...CARL, roles }), body: (await other.get("/api/session")).json() };
  };

  test.each([["viewer"], [["editor", "other"]], [["admin", "viewer"]]])("the claim %j is a role", async (roles) => {
    expect((await signIn(roles)).body.role).toBe([roles].flat()[0]);
  });

  const NONE = [undefined, "Admin", "admin ", "viewer,admin", "read-only", "constructor", { admin: true }, [["admin"]]];
  test.each(NONE)("the claim %j is no role, and the list of roles doesn't count", async (roles) => {
    await setRole(context.db, OPERATOR, "@example.com", "admin");
    expect((await signIn(roles)).location).toBe(failed("refused"));
  });

  test("a role written into the database is none", async () => {
    const { other } = await signIn("viewer");
    await query("update console_sessions set role_from_claim = 'admin'");
    expect((await other.get("/api/people")).statusCode).toBe(401);
  });

  test("the claim counts for an hour, then the page signs in again", async () => {
    const { other } = await signIn("admin");
    await query("update console_sessions set created_at = now() - interval '61 minutes'");
    expect((await other.get("/api/people")).json()).toMatchObject({ mode: "team", renew: true });
    expect(await other.signIn({ ...CARL, roles: ["viewer"] })).toBe(PEOPLE);
    expect((await other.get("/api/session")).json().role).toBe("viewer");
  });
});

test("operators list, set and remove roles", async () => {
  const waitlist = (...args: string[]) => runCommand({ DATABASE_URL: context.url }, ["console", ...args]);
  const code = async (...args: string[]) => (await waitlist(...args)).code;
  expect(await code("roles", "set", "@Example.com", "viewer")).toBe(0);
  expect((await waitlist("--json", "roles")).stdout).toContain('"@example.com"');
  const roles = [
    "set @example.com root",
    "set x viewer",
    "remove @example.com",
    "remove @example.com",
    "set @example.com",
  ];
  expect(await Array.fromAsync(roles, (args) => code("roles", ...args.split(" ")))).toEqual([2, 2, 0, 1, 2]);
  expect([await code("sign-out"), await code("forget", "x@x.test")]).toEqual([2, 1]);
});
