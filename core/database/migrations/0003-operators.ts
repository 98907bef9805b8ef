import { type Kysely, sql } from "kysely";

/**
 * For operators: where a sign-up came from, when its address was confirmed and when it was invited. For erased people,
 * only what is needed to erase them again if a restored backup brings them back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No indexes: every sign-up would pay for them, and an operator can wait for a sequential scan.
  await sql`
    alter table sign_ups
      add column utm          jsonb,
      add column confirmed_at timestamptz,
      add column invited_at   timestamptz`.execute(db);

  await sql`
    create table erasures (
      address_hash bytea primary key,
      erased_at    timestamptz not null
    )`.execute(db);
}
