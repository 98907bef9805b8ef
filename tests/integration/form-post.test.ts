import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { createApp } from "#server/app.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
let app: FastifyInstance;
beforeAll(async () => {
  app = await createApp({ db: context.db, ...unlimited });
});
afterAll(() => app.close());

/** Posts as a browser does: every text field, and the checkbox only when it is checked. */
function post(fields: Record<string, string>) {
  return app.inject({
    method: "POST",
    url: WAITLIST_PATH,
    payload: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
}

function asForm({ newsletter, ...fields }: ReturnType<typeof aSignUp>): Record<string, string> {
  return { ...fields, ...(newsletter && { newsletter: "on" }) };
}

test("a form posted without JavaScript adds the person and redirects to the page", async () => {
  const ada = aSignUp({ firstName: "Zoë & Co", newsletter: true });
  const response = await post(asForm(ada));
  expect(response.statusCode).toBe(303);
  expect(response.headers.location).toBe("/#joined");
  expect(response.body).toBe("");
  const row = await context.db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
  expect(row).toMatchObject({ first_name: "Zoë & Co", newsletter: true });
});

test("fields that the server doesn't know are ignored, in a form and in JSON", async () => {
  expect((await post({ ...asForm(aSignUp()), jobTitle: "Analyst" })).headers.location).toBe("/#joined");
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field${i}`, ""]));
  const payload = { ...aSignUp(), ...fields };
  expect((await app.inject({ method: "POST", url: WAITLIST_PATH, payload })).statusCode).toBe(201);
});

test("an unchecked newsletter box is stored as no consent", async () => {
  const ada = aSignUp();
  await post(asForm(ada));
  const row = await context.db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
  expect(row).toMatchObject({ newsletter: false });
});

describe("the redirect's fragment names the outcome and contains no personal data", () => {
  test("duplicate address: already-joined", async () => {
    const ada = asForm(aSignUp());
    await post(ada);
    expect((await post(ada)).headers.location).toBe("/#already-joined");
  });

  test("filled honeypot: joined, as for a success", async () => {
    expect((await post(asForm(aSignUp({ website: "x" })))).headers.location).toBe("/#joined");
  });

  test.each([
    [{ firstName: " " }, "first-name-missing"],
    [{ lastName: "" }, "last-name-missing"],
    [{ email: "nobody" }, "email-invalid"],
    [{ email: "ada@xn--iñvalid.com" }, "email-invalid"],
    [{ firstName: "", email: "nobody" }, "first-name-missing"],
    [{ firstName: "x".repeat(101) }, "first-name-too-long"],
    [{ firstName: "\u0007" }, "first-name-unusable"],
    [{ lastName: "x".repeat(101) }, "last-name-too-long"],
    [{ lastName: "A\u0000da" }, "last-name-unusable"],
    [{ email: `${"x".repeat(250)}@example.com` }, "email-invalid"],
    [{ company: "x".repeat(201) }, "company-too-long"],
    [{ company: "\u0007" }, "company-unusable"],
    [{ website: "x".repeat(2001) }, "not-joined"],
    [{ website: "\u0000" }, "not-joined"],
  ])("%j: %s", async (changes, fragment) => {
    const response = await post({ ...asForm(aSignUp()), ...changes });
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe(`/#${fragment}`);
  });

  test("client over its rate limit: not-joined", async () => {
    const limited = await createApp({ db: context.db, ...unlimited, limits: { ...unlimited.limits, perClient: 0 } });
    const response = await limited.inject({
      method: "POST",
      url: WAITLIST_PATH,
      payload: "firstName=Ada",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(response.headers.location).toBe("/#not-joined");
    await limited.close();
  });
});
