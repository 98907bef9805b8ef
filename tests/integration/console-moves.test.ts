import { expect, test } from "vitest";
import { useConsoleApi } from "#tests/support/console-api.ts";
import { addPeople } from "#tests/support/people.ts";

const context = useConsoleApi();

test("a move needs a filter", async () => {
  const [id] = await addPeople(context.db, [{ email: "ada@example.com", confirmed: false }]);
  const { api } = context;
  const move = (filter: object) => api.post("/api/moves", { filter, upTo: id, withConfirmed: false });
  expect((await move({})).status).toBe(400);
  expect((await move({ campain: "launch" })).status).toBe(400);
  expect((await api.get("/api/moves/preview")).status).toBe(400);
  expect((await api.get("/api/moves/preview?confirmed=yes")).json).toMatchObject({ people: 0, domains: [] });
  expect((await move({ domain: "x.example\n" })).status).toBe(400);
  expect((await move({ domain: "x.example\nexample.com" })).json).toEqual({ moved: 1 });
  const [{ id: moved, ...rest }] = (await api.get("/api/moves")).json;
  expect(rest).toMatchObject({ actor: "ada", people: 1 });
  expect((await api.post(`/api/moves/${moved}/undo`)).json).toEqual({ moved: 1 });
  expect((await api.get("/api/moves")).json).toEqual([]);
});
