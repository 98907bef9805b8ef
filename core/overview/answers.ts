import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { readActiveQuestions } from "#core/people/questions.ts";
import { isIn, isListed } from "#core/people/states.ts";

/** How confirmed people answered one of the active questions. */
export type AnswerCounts = Awaited<ReturnType<typeof countAnswers>>[number];

/** Groups equal answers first, because there are far fewer different answers than people. */
export async function countAnswers(db: Kysely<Tables>) {
  const questions = await readActiveQuestions(db);
  if (questions.length === 0) return [];
  const { rows } = await sql<{ question: string; choice: number; people: number; firsts: number }>`
    with given as materialized (
      select answers, count(*) as people from sign_ups
      where ${isListed} and answers is not null and ${isIn("confirmed")} group by 1
    )
    select question, choice::integer, sum(people)::integer as people,
      coalesce(sum(people) filter (where place = 1), 0)::integer as firsts
    from given, jsonb_each(answers) as answer (question, chosen),
      jsonb_array_elements_text(chosen) with ordinality as element (choice, place)
    group by 1, 2`.execute(db);
  return questions.map(({ id, text, choices }) => {
    const counts = rows.filter(({ question }) => question === id);
    const peopleOf = (number: number) => counts.find(({ choice }) => choice === number)?.people ?? 0;
    return {
      id,
      text,
      // Counts first choices, because everyone who answered has exactly one, but may have several choices.
      people: counts.reduce((sum, { firsts }) => sum + firsts, 0),
      choices: choices.map((choice, index) => ({ text: choice, people: peopleOf(index + 1) })),
    };
  });
}
