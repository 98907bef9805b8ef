import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { editQuestion, retireQuestion } from "#core/members/edit-questions.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { countAnswers } from "#core/overview/answers.ts";
import { type Filter, matches } from "#core/people/filter.ts";
import { readPeoplePage } from "#core/people/people-page.ts";
import type { Question } from "#core/people/questions.ts";
import { importPeople, previewImport } from "#core/transfer/import.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist } from "#tests/support/cli.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { addPeople } from "#tests/support/people.ts";
import { addQuestions, answerAs, TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";

const operator = useOperator();

let size: Question;
let tools: Question;
/** Ada answers both questions, Grace one, Alan none, and an answer of Eve's is imported before she confirms. */
beforeEach(async () => {
  const [first, second] = await addQuestions(operator.db, TEAM_SIZE, TOOLS);
  if (!first || !second) throw new Error("No questions");
  [size, tools] = [first, second];
  const emails = ["ada", "grace", "alan", "eve"].map((name) => ({
    email: `${name}@example.com`,
    confirmed: name !== "eve",
  }));
  await addPeople(operator.db, emails);
  await answerAs(operator.db, "ada@example.com", { [size.id]: [2], [tools.id]: [1, 3] });
  await answerAs(operator.db, "grace@example.com", { [tools.id]: [3] });
  await answerAs(operator.db, "eve@example.com", { [size.id]: [2] });
});

test("the distribution counts confirmed people once per question and once per choice", async () => {
  const counted = [
    { id: size.id, text: TEAM_SIZE.text, people: 1, choices: [0, 1, 0] },
    { id: tools.id, text: TOOLS.text, people: 2, choices: [1, 0, 2] },
  ];
  const count = async () =>
    (await countAnswers(operator.db)).map(({ choices, ...each }) => ({
      ...each,
      choices: choices.map(({ people }) => people),
    }));
  expect(await count()).toEqual(counted);
  await waitlist("erase", "grace@example.com", "--yes");
  expect((await count())[1]).toMatchObject({ people: 1, choices: [1, 0, 1] });
  await retireQuestion(operator.db, OPERATOR, size.id);
  expect(await count()).toHaveLength(1);
});

test("people are listed, counted and invited by their answers, and shown with them", async () => {
  const listed = async (filter: Filter) => {
    const { people } = await readPeoplePage(operator.db, filter, { limit: 9 });
    return people.map(({ email }) => email.split("@")[0]);
  };
  expect(await listed({ answer: `${tools.id}:3,${size.id}:2` })).toEqual(["ada"]);
  for (const answer of ["", "2", "2:0", "2:9", "2:1,", "02:1", "2:1;"]) {
    const { code, stderr } = await waitlist("export", "--answer", answer);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Use numbers of questions and choices, like 2:1,2:3.")]);
  }
  const audience = { answer: `${tools.id}:3` };
  expect(await splitAudience(operator.db, { kind: "announcement", audience })).toMatchObject({ recipients: 2 });
  await inviteNext(operator.db, OPERATOR, { answer: `${tools.id}:1` }, 9);
  expect(await listed({ invited: true })).toEqual(["ada"]);
  const { stdout } = await waitlist("show", "ada@example.com");
  expect(stdout).toMatch(/Question +Which tools do you use\?\nAnswer +Jira, Email/);
});

test("the export has a column per question with the choices' texts, also of retired ones", async () => {
  await editQuestion(operator.db, OPERATOR, tools.id, 1, {
    ...TOOLS,
    text: 'Which "tools", exactly?',
    choices: ["-Jira", "Slack", "=Email"],
  });
  await retireQuestion(operator.db, OPERATOR, size.id);
  const [header = "", ada, grace, alan] = (await waitlist("export")).stdout.split("\n");
  expect(header.split(",acceptedAt,")[1]).toBe(
    `"answer${tools.id}: Which ""tools"", exactly?","answer${size.id}: ${TEAM_SIZE.text}"`,
  );
  expect(ada).toMatch(/,"'-Jira; '=Email","11–50"$/);
  expect(grace).toMatch(/,"'=Email",$/);
  expect(alan).toMatch(/,,$/);
  const lines = (await waitlist("export", "--format", "jsonl", "--answer", `${size.id}:2`)).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { email: "ada@example.com", [`answer${size.id}`]: "11–50", [`answer${tools.id}`]: "-Jira; =Email" },
    { email: "eve@example.com", [`answer${size.id}`]: "11–50", [`answer${tools.id}`]: null },
  ]);
});

test("the export's columns can be imported; an answer that is no choice is refused", async () => {
  await switchMail(operator.db, true);
  await editQuestion(operator.db, OPERATOR, tools.id, 1, { ...TOOLS, choices: ["-Jira", "Slack", "=Email"] });
  const exported = (await waitlist("export")).stdout.replaceAll("@example.com", "@example.org");
  const readAnswers = async () =>
    (await operator.db.pool.query("select answers from sign_ups where email like '%.org' order by email")).rows;
  const importFile = (content: string, ...args: string[]) =>
    waitlist("import", operator.aFile("list.csv", content), "--source", "Fair", ...args);
  expect((await importFile(exported, "--yes")).stdout).toContain("Imported 4 people.");
  expect(await readAnswers()).toEqual([
    { answers: { [size.id]: [2], [tools.id]: [1, 3] } },
    { answers: null },
    { answers: { [size.id]: [2] } },
    { answers: { [tools.id]: [3] } },
  ]);

  const cells = ["11–50", "11–50; More", "Eleven", ""].map((cell, index) => `p${index}@example.net,Ada,L,${cell}\n`);
  const { stdout } = await importFile(`email,first name,last name,answer${size.id}\n${cells.join("")}`, "--dry-run");
  expect(stdout.split("\n").slice(0, 4)).toEqual([
    "2\tnew\tp0@example.net",
    "3\tinvalid\tNo such choice: 11–50; More",
    "4\tinvalid\tNo such choice: Eleven",
    "5\tnew\tp3@example.net",
  ]);
});

test("an import never changes the answers of people who are on the list, or join after its preview", async () => {
  const rows = ["alan", "new"].map((name) => `${name}@example.com,A,T,More\n`);
  const preview = (csv: string) => previewImport(operator.db, createKeys(SECRET), csv, "Fair");
  const add = async (found: Awaited<ReturnType<typeof preview>>) => {
    if ("unreadable" in found) throw new Error(found.unreadable);
    await importPeople(operator.db, OPERATOR, found.rows, { wording: undefined, mail: undefined });
  };
  const first = await preview(`email,first name,last name,answer${size.id}\n${rows.join("")}`);
  await add(await preview("email,first name,last name\nnew@example.com,A,T\n"));
  await add(first);
  const { rows: answered } = await sql`
    select email from sign_ups where ${matches({ answer: `${size.id}:3` })}`.execute(operator.db);
  expect(answered).toEqual([]);
});
