import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  addQuestion,
  editQuestion,
  moveQuestionUp,
  questionSchema,
  retireQuestion,
} from "#core/members/edit-questions.ts";
import { type Question, readActiveQuestions, readQuestions } from "#core/people/questions.ts";
import { sentences } from "#tests/support/activity.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addQuestions, answerAs, TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();
const { press, rows } = context;
const open = async (url: string) => (await context.app.inject(url)).body;

async function aConfirmedMember(email = "ada@example.com"): Promise<string> {
  const page = await context.aMember({ email });
  await press(`${page}/confirm`);
  return page;
}

/** Adds both questions. */
async function ask(): Promise<[Question, Question]> {
  const [size, tools] = await addQuestions(context.db, TEAM_SIZE, TOOLS);
  if (!size || !tools) throw new Error("No questions");
  return [size, tools];
}

const answersOf = async () => (await rows()).map(({ answers }) => answers);

test("a confirmed member answers, changes and withdraws answers, and can leave any question out", async () => {
  const unconfirmed = await context.aMember();
  const page = await aConfirmedMember("grace@example.com");
  expect(await open(page)).not.toContain("question");
  const [size, tools] = await ask();
  expect(await open(unconfirmed)).not.toContain(size.text);
  const form = await open(page);
  for (const text of [TEAM_SIZE.text, ...TEAM_SIZE.choices, TOOLS.text, ...TOOLS.choices]) expect(form).toContain(text);
  expect(form).not.toContain("No answer");

  const answer = (fields: string) => press(`${page}/answers`, fields);
  const [one, any] = [`${size.id}.1`, `${tools.id}.1`];
  expect(await answer(`${any}=3&${one}=2&${any}=1`)).toMatchObject({
    statusCode: 303,
    headers: { location: `${page}#answered` },
  });
  expect(await answersOf()).toEqual([null, { [size.id]: [2], [tools.id]: [1, 3] }]);
  const answered = await open(page);
  expect([...answered.matchAll(/value="(\d)" checked/g)].map(([, value]) => value)).toEqual(["2", "1", "3"]);
  expect(answered).toContain("No answer");
  await answer(`${one}=&${any}=1`);
  expect(await answersOf()).toEqual([null, { [tools.id]: [1] }]);
  await answer("");
  expect(await answersOf()).toEqual([null, null]);

  // Someone who hasn't confirmed may not be the owner of the address.
  expect(await press(`${unconfirmed}/answers`, `${one}=2`)).toMatchObject({ headers: { location: unconfirmed } });
  expect(await answersOf()).toEqual([null, null]);
});

test("answers to unknown questions and choices, or to a form that has changed, are refused as a whole", async () => {
  const page = await aConfirmedMember();
  const [size, tools] = await ask();
  const [one, any] = [`${size.id}.1`, `${tools.id}.1`];
  const values = ["4", "0", "01", "-1", "1.0", "x", `1&${one}=2`].map((value) => `${one}=${value}`);
  const questions = [
    "999.1=1",
    `${size.id}=1`,
    `${size.id}.2=1`,
    `${any}=1&${any}=1`,
    `${any}=1&extra=1`,
    "__proto__=1",
  ];
  for (const fields of [...values, ...questions]) {
    const { statusCode, body } = await press(`${page}/answers`, `${any}=2&${fields}`);
    expect(statusCode, fields).toBe(400);
    expect(body).toContain("Please answer again");
    expect(body).toContain("<title>Error: ");
  }
  expect(await answersOf()).toEqual([null]);
  await editQuestion(context.db, OPERATOR, size.id, 1, { ...TEAM_SIZE, choices: ["Small", "Large"] });
  expect((await press(`${page}/answers`, `${one}=1`)).statusCode).toBe(400);
  expect((await press(`${page}/answers`, `${size.id}.2=1`)).statusCode).toBe(303);
});

test("at most three questions are active, even if two operators add one at the same time", async () => {
  const add = () => addQuestion(context.db, OPERATOR, TEAM_SIZE).catch(String);
  const added = await Promise.all(Array.from({ length: 6 }, add));
  expect(added.filter((refusal) => refusal === "full")).toHaveLength(3);
  const insert = sql`insert into questions (position, text, choices, is_multiple) values (4, 'x', '{a,b}', false)`;
  await expect(insert.execute(context.db)).rejects.toThrow("position_check");
});

test("a question's text and choices are checked", () => {
  const errorOf = (changes: object) => questionSchema.safeParse({ ...TEAM_SIZE, ...changes }).error?.issues[0]?.message;
  const choices = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
  expect(errorOf({ text: "x".repeat(120), choices: choices(8) })).toBe(undefined);
  expect(errorOf({ text: "x".repeat(121) })).toBe("The question may have at most 120 characters");
  expect(errorOf({ text: " " })).toBe("Write a question");
  expect(errorOf({ choices: ["Yes", " ", ""] })).toBe("Write at least two choices");
  expect(errorOf({ choices: ["Yes", "yes"] })).toBe("Each choice must be different");
  expect(errorOf({ choices: ["Yes; no", "Both"] })).toBe("A choice can't contain a semicolon");
  expect(errorOf({ choices: choices(9) })).toBe("Use at most eight choices");
});

test("a question with answers can be reworded and extended, but loses no choice; one without answers can change", async () => {
  await aConfirmedMember();
  const [size, tools] = await ask();
  const edit = (version: number, changes: object) =>
    editQuestion(context.db, OPERATOR, size.id, version, { ...TEAM_SIZE, ...changes });
  expect(await edit(1, { choices: ["Small", "", "Large"], isMultiple: true })).toBe(undefined);
  expect(await edit(1, {})).toBe("newer");
  await answerAs(context.db, "ada@example.com", { [size.id]: [2] });
  for (const changes of [{ isMultiple: false }, { choices: ["Small", "", "Huge"] }, { choices: ["Small"] }])
    expect(await edit(2, { choices: ["Small", "Large"], isMultiple: true, ...changes })).toBe("answered");
  expect(await edit(2, { text: "Size?", choices: ["S", "L", "XL"], isMultiple: true })).toBe(undefined);
  expect(await readActiveQuestions(context.db)).toMatchObject([
    { id: size.id, version: 3, text: "Size?", choices: ["S", "L", "XL"] },
    { id: tools.id, version: 1 },
  ]);
});

test("an answer that arrives while a choice is removed is refused, or keeps the choice", async () => {
  const page = await aConfirmedMember();
  const [size] = await ask();
  const [edited, answered] = await Promise.all([
    editQuestion(context.db, OPERATOR, size.id, 1, { ...TEAM_SIZE, choices: ["1–10", "", "More"] }),
    press(`${page}/answers`, `${size.id}.1=2`),
  ]);
  expect([edited, answered.statusCode]).toEqual(edited ? ["answered", 303] : [undefined, 400]);
});

test("retiring keeps a question with answers, deletes one without, and closes the gap", async () => {
  const page = await aConfirmedMember();
  const [size, tools] = await ask();
  await addQuestion(context.db, OPERATOR, { ...TOOLS, text: "Last?" });
  await press(`${page}/answers`, `${size.id}.1=2&${tools.id}.1=1`);
  expect(await moveQuestionUp(context.db, OPERATOR, tools.id)).toBe(undefined);
  expect(await moveQuestionUp(context.db, OPERATOR, tools.id)).toBe("missing");
  expect(await retireQuestion(context.db, OPERATOR, tools.id)).toBe(undefined);
  expect(await retireQuestion(context.db, OPERATOR, tools.id)).toBe("missing");
  expect((await readQuestions(context.db)).map(({ text, position }) => [text, position])).toEqual([
    [TEAM_SIZE.text, 1],
    ["Last?", 2],
    [TOOLS.text, null],
  ]);
  // The form has only the active questions; saving it keeps the answers to retired ones.
  await press(`${page}/answers`, `${size.id}.1=1`);
  expect(await answersOf()).toEqual([{ [size.id]: [1], [tools.id]: [1] }]);
  const { id = "" } = (await readActiveQuestions(context.db))[1] ?? {};
  await retireQuestion(context.db, OPERATOR, id);
  expect(await readQuestions(context.db)).toHaveLength(2);
  const retired = ["Last?", TOOLS.text].map((text) => `retired the question “${text}”`);
  expect((await sentences(context.db)).slice(0, 2)).toEqual(retired);
});

test("a member reads and downloads answers as texts, to retired questions too", async () => {
  const page = await aConfirmedMember();
  const [size, tools] = await ask();
  await press(`${page}/answers`, `${size.id}.1=2&${tools.id}.1=1&${tools.id}.1=3`);
  await retireQuestion(context.db, OPERATOR, size.id);
  expect(JSON.parse(await open(`${page}/data`))).toMatchObject({
    "Your answers": [{ [TEAM_SIZE.text]: "11–50" }, { [TOOLS.text]: "Jira; Email" }],
  });
  expect(await open(`${page}/data.html`)).toContain("<dt>Which tools do you use?</dt><dd>Jira; Email</dd>");
});
