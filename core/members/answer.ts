import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { retryTransaction } from "#core/database/transaction.ts";
import { type Question, readActiveQuestions } from "#core/people/questions.ts";
import { isIn } from "#core/people/states.ts";

/** The form field's name. Has the version, because after an edit a choice's number may mean something else. */
export const answerField = ({ id, version }: Question) => `${id}.${version}`;

/**
 * Stores a confirmed member's answers to the active questions. A question without a choice, or with an empty one, is
 * unanswered. Returns false for a question or choice that doesn't exist, or no longer does.
 */
export function answerQuestions(db: Database, id: string, form: URLSearchParams): Promise<boolean> {
  return retryTransaction(db, async (transaction) => {
    // Locked, so that no choice is removed before the commit.
    await sql`select from questions where position is not null for share`.execute(transaction);
    const questions = await readActiveQuestions(transaction);
    const answers = readAnswers(questions, form);
    if (!answers) return false;
    const ids = questions.map((question) => question.id);
    await sql`
      update sign_ups set
        answers = nullif(coalesce(answers, '{}') - ${ids}::text[] || ${JSON.stringify(answers)}::jsonb, '{}')
      where id = ${id} and ${isIn("confirmed")}`.execute(transaction);
    return true;
  });
}

function readAnswers(questions: Question[], form: URLSearchParams): Record<string, number[]> | undefined {
  const answers: Record<string, number[]> = {};
  for (const [name, value] of form) {
    const question = questions.find((each) => answerField(each) === name);
    if (!question) return undefined;
    if (value === "") continue;
    const choice = question.choices.findIndex((_, index) => String(index + 1) === value) + 1;
    const chosen = answers[question.id] ?? [];
    if (choice === 0 || chosen.includes(choice) || (chosen.length > 0 && !question.isMultiple)) return undefined;
    answers[question.id] = [...chosen, choice].sort((one, other) => one - other);
  }
  return answers;
}
