import { expect, test } from "vitest";
import { useConsoleApi } from "#tests/support/console-api.ts";
import { addPeople } from "#tests/support/people.ts";
import { addQuestions, answerAs, TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";

const context = useConsoleApi();
const post = (path: string, body?: object) => context.api.post(`/api/questions${path}`, body);

test("operators write, edit, move and retire questions, and read why a change was refused", async () => {
  for (const question of [TEAM_SIZE, TOOLS, { ...TOOLS, text: "Third?" }])
    expect((await post("", question)).status).toBe(204);
  expect(await post("", TOOLS)).toMatchObject({
    status: 409,
    json: { detail: expect.stringMatching(/^Three questions are active/) },
  });
  expect(await post("", { ...TOOLS, choices: ["One"] })).toMatchObject({
    status: 400,
    json: { detail: "Write at least two choices." },
  });
  const read = async () => (await context.api.get("/api/questions")).json;
  const [size, tools] = await read();
  expect((await post(`/${tools.id}/move-up`)).status).toBe(204);
  expect((await post(`/${size.id}/edit`, { ...TEAM_SIZE, text: "Size?", version: 1 })).status).toBe(204);
  expect(await post(`/${size.id}/edit`, { ...TEAM_SIZE, version: 1 })).toMatchObject({
    status: 409,
    json: { detail: expect.stringMatching(/^Someone else has just edited/) },
  });
  expect(await post(`/${size.id}/edit`, { ...TEAM_SIZE, text: "", version: 2 })).toMatchObject({
    status: 400,
    json: { detail: "Write a question." },
  });
  expect((await post(`/${tools.id}/retire`)).status).toBe(204);
  expect(await read()).toMatchObject([{ text: "Size?", position: 1, version: 2 }, { text: "Third?" }]);
  expect((await post(`/${tools.id}/retire`)).status).toBe(409);
});

test("a person's answers are shown as texts, and an answer filter that isn't one is refused", async () => {
  const [tools] = await addQuestions(context.db, TOOLS);
  const [id] = await addPeople(context.db, [{ email: "ada@example.com" }]);
  await answerAs(context.db, "ada@example.com", { [tools?.id ?? ""]: [1, 3] });
  expect((await context.api.get(`/api/people/${id}`)).json.answers).toEqual([
    { question: TOOLS.text, choices: ["Jira", "Email"] },
  ]);
  expect((await context.api.get(`/api/people?answer=${tools?.id}:3`)).json.people).toHaveLength(1);
  for (const answer of ["", "1", "1:0", "x:1", "1:1,"])
    expect((await context.api.get(`/api/people?answer=${answer}`)).status, answer).toBe(400);
});
