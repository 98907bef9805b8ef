import { beforeEach, expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { useConsoleApi } from "#tests/support/console-api.ts";
import { addPeople } from "#tests/support/people.ts";

const context = useConsoleApi();

let id: string;
beforeEach(async () => {
  [id = ""] = await addPeople(context.db, [{ email: "ada@example.com", company: "Acme" }]);
});

const post = (action: string, payload?: object) => context.api.post(`/api/people/${id}/${action}`, payload);
const read = async () => (await context.api.get(`/api/people/${id}`)).json;

test("unsubscribing someone twice leaves one entry, and records the wording if no server has yet", async () => {
  await context.db.deleteFrom("consent_wordings").execute();
  for (let time = 0; time < 2; time += 1) expect((await post("unsubscribe")).status).toBe(204);
  expect((await read()).consents).toMatchObject([
    { given: false, version: NEWSLETTER_CONSENT.version, wording: NEWSLETTER_CONSENT.wording },
  ]);
});

test("stopping all mail rejects the address and withdraws the newsletter, once", async () => {
  for (let time = 0; time < 2; time += 1) expect((await post("stop-mail")).status).toBe(204);
  const { consents, newsletter, suppressedAt } = await read();
  expect([newsletter, consents.map(({ given }: { given: boolean }) => given)]).toEqual([false, [false]]);
  expect(suppressedAt).not.toBeNull();
});

test("an edit changes only the fields it names", async () => {
  expect((await post("edit", { firstName: " Augusta " })).status).toBe(204);
  expect(await read()).toMatchObject({ firstName: "Augusta", lastName: "Lovelace", company: "Acme" });
  expect((await post("edit", { company: "" })).status).toBe(204);
  expect(await read()).toMatchObject({ firstName: "Augusta", lastName: "Lovelace", company: null });
  expect(await post("edit", { lastName: "" })).toMatchObject({
    status: 400,
    json: { detail: "Last name is required." },
  });
});

test("an invitation that was used can't be taken back, and the response says why", async () => {
  await post("invite");
  await context.db.pool.query("update sign_ups set accepted_at = now()");
  expect(await post("uninvite")).toMatchObject({
    status: 409,
    json: { detail: "They aren't invited, have used their invitation, or have left." },
  });
});

test("an erasure needs the person's address", async () => {
  const { json } = await post("erase", { address: "ada" });
  expect(json).toMatchObject({ detail: "The address doesn't match. Nobody was erased." });
});

test.each([
  ["edit", { firstName: "Augusta" }],
  ["unsubscribe", {}],
  ["stop-mail", {}],
])("the response to %s says if the person has left", async (action, payload) => {
  id = "999999";
  expect(await post(action, payload)).toMatchObject({
    status: 404,
    json: { detail: "This person isn't on the list. They may have left." },
  });
});
