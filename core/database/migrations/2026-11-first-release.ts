import type { Kysely } from "kysely";
import { createList } from "./first-release/list.ts";
import { createMail } from "./first-release/mail.ts";
import { createOperators } from "./first-release/operators.ts";

/** The schema of 1.0.0. It may be edited until that is released; after that, the next migration changes the schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createList(db);
  await createMail(db);
  await createOperators(db);
}
