import { type Kysely, sql } from "kysely";

/**
 * Gives each wave of invitations an id. Until now its timestamp identified it, and making that unique took a lock and a
 * sleep. Version 1.0.0 reads and writes the timestamp, so it stays on the person. Existing waves get their ids in
 * 0013-wave-ids.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table waves (
      id         bigint generated always as identity primary key,
      invited_at timestamptz not null
    )`.execute(db);
  await sql`alter table sign_ups add column wave_id bigint`.execute(db);

  // The slot of the totals that a connection writes to, defined once because every statement that counts must agree.
  await sql`
    create function totals_slot() returns smallint
    language sql volatile parallel safe
    return (pg_backend_pid() % 16)::smallint`.execute(db);
}
