import type { Kysely } from "kysely";
import { createList } from "./first-release/list.ts";
import { createMail } from "./first-release/mail.ts";
import { createOperators } from "./first-release/operators.ts";
import { createConsents, createErasures } from "./first-release/privacy.ts";
import { createWebhooks } from "./first-release/webhooks.ts";

/** The schema of 2.0.0. Edit it until 2.0.0 is released; after that, add a migration instead. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createList(db);
  await createConsents(db);
  await createErasures(db);
  await createMail(db);
  await createOperators(db);
  await createWebhooks(db);
}
