import { type Kysely, sql } from "kysely";
import * as z from "zod/mini";
import { text, VISIBLE } from "#contract/sign-up.ts";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { retryTransaction } from "#core/database/transaction.ts";
import { MAX_CHOICES, MAX_QUESTIONS } from "#core/people/question-limits.ts";
import { chose, type Question, readActiveQuestions } from "#core/people/questions.ts";

const given = (choices: string[]) => choices.filter((choice) => VISIBLE.test(choice));
const areDistinct = (choices: string[]) =>
  new Set(choices.map((choice) => choice.toLowerCase())).size === choices.length;

/** Empty choices are dropped. In an edit, an empty choice stands for one that is removed. */
export const questionSchema = z.object({
  text: text("The question", 120).check(z.regex(VISIBLE, "Write a question")),
  choices: z.array(text("A choice", 80).check(z.regex(/^[^;]*$/, "A choice can't contain a semicolon"))).check(
    z.maxLength(MAX_CHOICES, "Use at most eight choices"),
    z.refine((choices) => given(choices).length >= 2, "Write at least two choices"),
    z.refine((choices) => areDistinct(given(choices)), "Each choice must be different"),
  ),
  isMultiple: z.boolean(),
});

type Written = z.output<typeof questionSchema>;

/** Why nothing was changed. */
export type QuestionRefusal = "full" | "missing" | "newer" | "answered";

type Change = (transaction: Kysely<Tables>, active: Question[]) => Promise<QuestionRefusal | undefined>;

/** Runs one change at a time, and none while a member's answers are being stored. */
function inTurn(db: Database, change: Change) {
  return retryTransaction(db, async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('questions'))`.execute(transaction);
    await sql`select from questions where position is not null order by id for update`.execute(transaction);
    return change(transaction, await readActiveQuestions(transaction));
  });
}

async function isAnswered(db: Kysely<Tables>, { id, choices }: Question): Promise<boolean> {
  const numbers = choices.map((_, index) => index + 1);
  const { rows } = await sql`select from sign_ups where ${chose(id, numbers)} limit 1`.execute(db);
  return rows.length > 0;
}

export function addQuestion(db: Database, actor: Actor, { text, choices, isMultiple }: Written) {
  return inTurn(db, async (transaction, active) => {
    if (active.length >= MAX_QUESTIONS) return "full";
    await sql`
      insert into questions (position, text, choices, is_multiple)
      values (${active.length + 1}, ${text}, ${given(choices)}, ${isMultiple})`.execute(transaction);
    await recordActivity(transaction, actor, { action: "add question", question: text });
    return undefined;
  });
}

/** Once someone has answered, no choice can be removed, because answers refer to choices by number. */
export function editQuestion(db: Database, actor: Actor, id: string, version: number, written: Written) {
  return inTurn(db, async (transaction, active) => {
    const { text, choices, isMultiple } = written;
    const question = active.find((each) => each.id === id);
    if (!question) return "missing";
    if (question.version !== version) return "newer";
    const fits =
      isMultiple === question.isMultiple && question.choices.every((_, index) => VISIBLE.test(choices[index] ?? ""));
    if (!fits && (await isAnswered(transaction, question))) return "answered";
    await sql`
      update questions set
        text = ${text}, choices = ${given(choices)}, is_multiple = ${isMultiple}, version = version + 1
      where id = ${id}`.execute(transaction);
    await recordActivity(transaction, actor, { action: "edit question", question: text });
    return undefined;
  });
}

/** Retires an answered question, and deletes one without answers. */
export function retireQuestion(db: Database, actor: Actor, id: string) {
  return inTurn(db, async (transaction, active) => {
    const question = active.find((each) => each.id === id);
    if (!question) return "missing";
    const remove = (await isAnswered(transaction, question))
      ? sql`update questions set position = null, retired_at = now() where id = ${id}`
      : sql`delete from questions where id = ${id}`;
    await remove.execute(transaction);
    await sql`update questions set position = position - 1 where position > ${question.position}`.execute(transaction);
    await recordActivity(transaction, actor, { action: "retire question", question: question.text });
    return undefined;
  });
}

/** Swaps a question with the one above it. */
export function moveQuestionUp(db: Database, actor: Actor, id: string) {
  return inTurn(db, async (transaction, active) => {
    const index = active.findIndex((each) => each.id === id);
    const [above, question] = [active[index - 1], active[index]];
    if (!above || !question) return "missing";
    await sql`
      update questions set position = case id when ${id} then ${above.position} else ${question.position} end::smallint
      where id in (${id}, ${above.id})`.execute(transaction);
    await recordActivity(transaction, actor, { action: "move question", question: question.text });
    return undefined;
  });
}
