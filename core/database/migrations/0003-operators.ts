import { type Kysely, sql } from "kysely";

/**
 * What the people who run the list need: where a sign-up came from, when its address was confirmed and when it was
 * invited; and of those who were erased no more than it takes to erase them again, should a backup bring them back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No indexes: every sign-up would pay for them, and an operator can wait for a scan.
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
