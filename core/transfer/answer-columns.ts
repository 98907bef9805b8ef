import { type RawBuilder, sql } from "kysely";
import type { EmailKey } from "#core/database/tables.ts";
import type { Chunk } from "#core/database/transaction.ts";
import { cleanCell } from "#core/people/address-column.ts";
import { ANSWER_SEPARATOR, type Question } from "#core/people/questions.ts";

export type Answers = Record<string, number[]>;

/** Without the question's text, which may be reworded; only CSV adds it. */
export const answerColumn = ({ id }: Question) => `answer${id}`;

/** The choices in words. */
export const answerCell = ({ id, choices }: Question): RawBuilder<string | null> => sql`(
  select string_agg((${choices}::text[])[number::integer], ${ANSWER_SEPARATOR} order by number)
  from jsonb_array_elements_text(answers -> ${id}::text) as number)`;

/** Answers by question, or the first cell that isn't an answer. */
export function readAnswerCells(cells: Record<string, string>, questions: Question[]): Answers | { unknown: string } {
  const answers: Answers = {};
  for (const question of questions) {
    const cell = cells[answerColumn(question)];
    if (!cell) continue;
    const texts = cell.split(ANSWER_SEPARATOR.trim()).map(cleanCell);
    const chosen = question.choices.flatMap((choice, index) => (texts.includes(choice) ? [index + 1] : []));
    const isAnswer = chosen.length === texts.length && (question.isMultiple || chosen.length === 1);
    if (!isAnswer) return { unknown: cell };
    answers[question.id] = chosen;
  }
  return answers;
}

/** For people who have just joined. A separate statement, so that the one that writes sign-ups needn't handle answers. */
export async function writeAnswers(chunk: Chunk, people: { signUp: { email_key: EmailKey }; answers: Answers }[]) {
  const given = people.flatMap(({ signUp: { email_key }, answers }) =>
    Object.keys(answers).length > 0 ? { email_key, answers } : [],
  );
  if (given.length === 0) return;
  await sql`
    update sign_ups set answers = given.answers
    from json_to_recordset(${JSON.stringify(given)}) as given (email_key text, answers jsonb)
    where sign_ups.email_key = given.email_key`.execute(chunk);
}
