import { sql } from "kysely";
import type * as z from "zod/mini";
import type { Database } from "#core/database/connect.ts";
import { addQuestion, type questionSchema } from "#core/members/edit-questions.ts";
import { type Question, readActiveQuestions } from "#core/people/questions.ts";
import { OPERATOR } from "./an-operator.ts";

export const TEAM_SIZE = { text: "How big is your team?", choices: ["1–10", "11–50", "More"], isMultiple: false };
export const TOOLS = { text: "Which tools do you use?", choices: ["Jira", "Slack", "Email"], isMultiple: true };

/** Adds these questions as an operator, and returns them. */
export async function addQuestions(db: Database, ...questions: z.input<typeof questionSchema>[]): Promise<Question[]> {
  for (const question of questions) await addQuestion(db, OPERATOR, question);
  return readActiveQuestions(db);
}

/** Sets someone's answers directly in the database. */
export const answerAs = (db: Database, email: string, answers: Record<string, number[]>) =>
  sql`update sign_ups set answers = ${JSON.stringify(answers)}::jsonb where email = ${email}`.execute(db);
