import type { Kysely } from "kysely";
import { createHooks } from "./first-release/hooks.ts";
import { createList } from "./first-release/list.ts";
import { createMail } from "./first-release/mail.ts";
import { createOperators } from "./first-release/operators.ts";

/** The schema of 1.0.0, which is released: add a migration instead of editing this one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createList(db);
  await createMail(db);
  await createOperators(db);
  await createHooks(db);
}
