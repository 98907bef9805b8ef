import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

/** Members answer up to three; the table enforces this limit. */
export interface Question {
  id: string;
  version: number;
  /** Counted from 1; null once retired. */
  position: number | null;
  text: string;
  /** An answer is a choice's number, from 1. */
  choices: string[];
  isMultiple: boolean;
  retiredAt: Date | null;
}

/** Active questions, then retired ones, newest first. */
export async function readQuestions(db: Kysely<Tables>): Promise<Question[]> {
  const { rows } = await sql<Question>`
    select id, version, position, text, choices, is_multiple as "isMultiple", retired_at as "retiredAt"
    from questions order by position, retired_at desc`.execute(db);
  return rows;
}

export async function readActiveQuestions(db: Kysely<Tables>): Promise<Question[]> {
  return (await readQuestions(db)).filter(({ position }) => position !== null);
}

/** Whether someone chose any of these choices. Uses one path: PostgreSQL estimates it better than several with OR. */
export function chose(question: string, choices: number[]): RawBuilder<boolean> {
  const isChosen = choices.map((choice) => `@ == ${choice}`).join(" || ");
  return sql<boolean>`answers @? ${`$.${JSON.stringify(question)}[*] ? (${isChosen})`}::jsonpath`;
}

/** Separates the choices in a cell. No choice contains a semicolon. */
export const ANSWER_SEPARATOR = "; ";

/** What someone chose, for a person to read. */
export interface AnswerText {
  question: string;
  choices: string[];
}

/** A column of sign_ups: AnswerText[], or null. */
export const answerTexts = sql<AnswerText[] | null>`(
  select json_agg(json_build_object('question', text, 'choices', array(
    select choices[number::integer] from jsonb_array_elements_text(answers -> questions.id::text) as number
  )) order by questions.id)
  from questions where answers ? questions.id::text)`;
