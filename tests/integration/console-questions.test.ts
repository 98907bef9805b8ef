import { expect, test } from "vitest";
import { useConsoleApi } from "#tests/support/console-api.ts";
import { addPeople } from "#tests/support/people.ts";
import { addQuestions, answerAs, TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";

const context = useConsoleApi();
const post = (path: string, body?: object) => context.api.post(`/api/questions${path}`, body);

test("operators read why a change to a question was refused", async () => {
  const [size] = await addQuestions(context.db, TEAM_SIZE, TOOLS, { ...TOOLS, text: "Third?" });
  const refusal = async (path: string, body: object) => {
    const { status, json } = await post(path, body);
    return `${status} ${json.detail}`;
  };
  expect(await refusal("", TOOLS)).toMatch(/^409 Three questions are active/);
  expect(await refusal("", { ...TOOLS, choices: ["One"] })).toBe("400 Write at least two choices.");
  expect(await refusal(`/${size?.id}/edit`, { ...TEAM_SIZE, version: 9 })).toMatch(/^409 Someone else has just edited/);
  expect(await refusal("/99/retire", {})).toMatch(/^409 /);
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
