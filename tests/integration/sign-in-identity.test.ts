import { beforeEach, describe, expect, test } from "vitest";
import { verifiedAddress } from "#console/sign-in/identity.ts";
import { forgetOperator } from "#core/operators/sessions.ts";
import { setRole } from "#core/operators/team-roles.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { ADA, createBrowser, failed, PEOPLE, useEmptyTeam } from "#tests/support/team-console.ts";

const { context, team, query } = useEmptyTeam();
const count = async (table: string) => (await query(`select from ${table}`)).rowCount;

let browser: ReturnType<typeof createBrowser>;
beforeEach(async () => {
  await setRole(context.db, OPERATOR, "ada@example.com", "editor");
  browser = createBrowser(team);
});

describe("refuses someone", () => {
  const attempt = async (claims: object) => [
    await browser.signIn({ ...ADA, ...claims }),
    await count("console_sessions"),
  ];

  test.each([false, undefined, "true", 1])("whose address has email_verified: %s", async (email_verified) => {
    expect(await attempt({ email_verified })).toEqual([failed("unverified"), 0]);
  });

  // READ_AS_OURS are our addresses only once normalized: one has a soft hyphen, the other the kelvin sign as its K.
  const OURS = "@example.com ada@attacker.example@example.com ada@example.com/x ada@%65xample.com".split(" ");
  const READ_AS_OURS = ["ada@ex\u00adample.com", "\u212Aate@example.com"];
  test.each(["", undefined, `${"a".repeat(65)}@example.com`, ...OURS, ...READ_AS_OURS])(
    "with the address %j",
    async (email) => {
      await setRole(context.db, OPERATOR, "@example.com", "admin");
      expect(await attempt({ email })).toEqual([failed("unverified"), 0]);
    },
  );

  test("without a role, and remembers only the refusal, once an hour", async () => {
    for (const _ of [1, 2]) expect(await attempt({ email: "eve@example.com" })).toEqual([failed("refused"), 0]);
    const { rows } = await query("select actor from activity where action = 'refuse sign-in'");
    expect(rows).toEqual([{ actor: "eve@example.com" }]);
    expect(await count("console_operators")).toBe(0);
  });

  test("who has a known address but another account, until it is forgotten", async () => {
    await browser.signIn();
    const other = createBrowser(team);
    expect(await other.signIn({ ...ADA, sub: "another" })).toBe(failed("other-account"));
    await setRole(context.db, OPERATOR, "ada.king@example.com", "editor");
    expect(await browser.signIn({ ...ADA, email: "ada.king@example.com" })).toBe(PEOPLE);
    expect(await other.signIn({ ...ADA, sub: "another" })).toBe(failed("other-account"));
    expect(await browser.signIn()).toBe(PEOPLE);
    await forgetOperator(context.db, OPERATOR, "ada@example.com");
    expect((await browser.get("/api/session")).statusCode).toBe(401);
    expect(await other.signIn({ ...ADA, sub: "another" })).toBe(PEOPLE);
  });
});

test("a role of a domain is for all its addresses, and an address's own role comes first", async () => {
  await setRole(context.db, OPERATOR, "@example.com", "viewer");
  const roleOf = async (sub: string, email: string) => {
    const other = createBrowser(team);
    await other.signIn({ ...ADA, sub, email });
    return (await other.get("/api/session")).json().role;
  };
  expect(await roleOf("ada", "ada@example.com")).toBe("editor");
  expect(await roleOf("bob", "bob@EXAMPLE.com")).toBe("viewer");
  expect(await roleOf("eve", "eve@sub.example.com")).toBeUndefined();
});

test("Google vouches only for the domains that it hosts, and Entra's addresses don't count", () => {
  const google = "https://accounts.google.com";
  const claims = { ...ADA, iss: "", aud: "", iat: 0, exp: 0 };
  expect(verifiedAddress({ ...claims, hd: "example.com" }, google)).toBe("ada@example.com");
  for (const hd of ["attacker.example", "ample.com", ""])
    expect(verifiedAddress({ ...claims, hd }, google)).toBeUndefined();
  expect(verifiedAddress(claims, google)).toBeUndefined();
  const entra = "https://login.microsoftonline.com/tenant/v2.0";
  expect(verifiedAddress(claims, entra)).toBeUndefined();
  expect(verifiedAddress({ ...claims, preferred_username: "Bob@example.com" }, entra)).toBe("bob@example.com");
});
