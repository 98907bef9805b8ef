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

test("an edit changes only the fields it names", async () => {
  await context.db.updateTable("sign_ups").set({ last_name: "King" }).where("id", "=", id).execute();
  expect((await api.post(`/api/people/${id}/edit`, { firstName: " Augusta " })).status).toBe(204);
  const read = async () => (await api.get(`/api/people/${id}`)).json;
  expect(await read()).toMatchObject({ firstName: "Augusta", lastName: "King", company: "Acme" });
  expect((await api.post(`/api/people/${id}/edit`, { company: "" })).status).toBe(204);
  expect(await read()).toMatchObject({ firstName: "Augusta", lastName: "King", company: null });
  expect(await api.post(`/api/people/${id}/edit`, { lastName: "" })).toMatchObject({
    status: 400,
    json: { detail: "Last name is required." },
  });
});

test("an erasure needs the person's address", async () => {
  const { json } = await api.post(`/api/people/${id}/erase`, { address: "ada" });
  expect(json).toEqual({ detail: "The address doesn't match. Nobody was erased." });
});

test.each([
  ["edit", { firstName: "Augusta" }],
  ["unsubscribe", {}],
])("the response to %s says if the person has left", async (action, payload) => {
  const { status, json } = await api.post(`/api/people/999999/${action}`, payload);
  expect({ status, json }).toEqual({
    status: 404,
    json: { detail: "This person isn't on the list. They may have left." },
  });
});
