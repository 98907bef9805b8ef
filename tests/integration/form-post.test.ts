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

/** As a browser sends the form: every text field, and the box only when it is ticked. */
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

test("a form sent without script joins, and goes back to the page", async () => {
  const ada = aSignUp({ firstName: "Zoë & Co", newsletter: true });
  const answer = await post(asForm(ada));
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe("/#joined");
  expect(answer.body).toBe("");
  const row = await context.db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
  expect(row).toMatchObject({ first_name: "Zoë & Co", newsletter: true });
});

test("a box that isn't ticked is no consent", async () => {
  const ada = aSignUp();
  await post(asForm(ada));
  const row = await context.db.selectFrom("sign_ups").selectAll().where("email", "=", ada.email).executeTakeFirst();
  expect(row).toMatchObject({ newsletter: false });
});

describe("the fragment says what happened, and nothing about the visitor", () => {
  test("already joined", async () => {
    const ada = asForm(aSignUp());
    await post(ada);
    expect((await post(ada)).headers.location).toBe("/#already-joined");
  });

  test("a filled honeypot looks like a success", async () => {
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
    [{ surprise: "!" }, "not-joined"],
  ])("%j: %s", async (changes, fragment) => {
    const answer = await post({ ...asForm(aSignUp()), ...changes });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`/#${fragment}`);
  });

  test("too many from one client", async () => {
    const strict = await createApp({ db: context.db, ...unlimited, limits: { ...unlimited.limits, perClient: 0 } });
    const answer = await strict.inject({
      method: "POST",
      url: WAITLIST_PATH,
      payload: "firstName=Ada",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(answer.headers.location).toBe("/#not-joined");
    await strict.close();
  });
});
