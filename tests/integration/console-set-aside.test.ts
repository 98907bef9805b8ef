import { expect, onTestFinished, test } from "vitest";
import { openConsoleApi, useConsoleApi, WITHOUT_MAIL } from "#tests/support/console-api.ts";
import { addPeople } from "#tests/support/people.ts";

const context = useConsoleApi();
const DOMAINS = { domain: "x.example\nexample.com" };

test("setting aside needs a filter", async () => {
  const [id] = await addPeople(context.db, [{ email: "ada@example.com", confirmed: false }]);
  const { api } = context;
  const setAside = (filter: object) => api.post("/api/set-aside", { filter, upTo: id, withConfirmed: false });
  expect((await setAside({})).status).toBe(400);
  expect((await setAside({ campain: "launch" })).status).toBe(400);
  expect((await api.get("/api/set-aside/preview")).status).toBe(400);
  expect((await api.get("/api/set-aside/preview?confirmed=yes")).json).toMatchObject({ people: 0, domains: [] });
  expect((await setAside({ domain: "x.example\n" })).status).toBe(400);
  expect((await setAside(DOMAINS)).json).toEqual({ setAside: 1 });
  expect((await api.get(`/api/people/${id}`)).json).toMatchObject({ setAsideAt: expect.any(String) });
  const [{ id: operation, ...rest }] = (await api.get("/api/set-aside")).json;
  expect(rest).toMatchObject({ actor: "ada", people: 1 });
  expect((await api.post(`/api/set-aside/${operation}/bring-back`)).json).toEqual({ broughtBack: 1 });
  expect((await api.get("/api/set-aside")).json).toEqual([]);
});

test("only a role that may erase people sets aside those who confirmed", async () => {
  const people = [{ email: "ada@example.com" }, { email: "bot@example.com", confirmed: false }];
  const [, upTo] = await addPeople(context.db, people);
  const editor = await openConsoleApi({ db: context.db, ...WITHOUT_MAIL }, "editor");
  onTestFinished(() => editor.close());
  const request = (withConfirmed: boolean) => ({ filter: DOMAINS, upTo, withConfirmed });
  expect(await editor.post("/api/set-aside", request(true))).toMatchObject({
    status: 403,
    json: { detail: "Your role doesn't allow setting aside people who confirmed." },
  });
  expect((await editor.post("/api/set-aside", request(false))).json).toEqual({ setAside: 1 });
  expect((await context.api.post("/api/set-aside", request(true))).json).toEqual({ setAside: 1 });
});
