import { type Kysely, sql } from "kysely";

/**
 * Keeps strangers from using our mail against others: during a surge of sign-ups every worker holds mail back until the
 * time in this row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_hold (
      only_row boolean primary key default true check (only_row),
      until    timestamptz not null
    )`.execute(db);
}
