import { beforeEach, expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { type ConsoleApi, openConsoleApi } from "#tests/support/console-api.ts";
import { addPeople } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const ACTOR = { name: "ada", via: "console" } as const;

let api: ConsoleApi;
let id: string;
beforeEach(async () => {
  api = await openConsoleApi({
    db: context.db,
    actor: ACTOR,
    keys: undefined,
    mail: undefined,
    invitations: undefined,
    isReadOnly: false,
  });
  [id = ""] = await addPeople(context.db, [{ email: aSignUp().email, company: "Acme" }]);
  return () => api.close();
});

test("unsubscribing someone records the wording too, if no server has yet", async () => {
  await context.db.deleteFrom("consent_wordings").execute();
  expect((await api.post(`/api/people/${id}/unsubscribe`)).status).toBe(204);
  expect((await api.get(`/api/people/${id}`)).json.consents).toMatchObject([
    { given: false, version: NEWSLETTER_CONSENT.version, wording: NEWSLETTER_CONSENT.wording },
  ]);
});
