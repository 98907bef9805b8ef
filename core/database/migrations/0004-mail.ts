import { type Kysely, sql } from "kysely";

/**
 * Confirmation mail. The sign-up's own transaction sets the flag that a mail is due; inserting a job there instead
 * halved the throughput. How many were sent and when is stored in the row, so that the database enforces the limits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_ups
      add column mail_due     boolean not null default false,
      add column mails        smallint not null default 0,
      add column last_mail_at timestamptz,
      add column rejected_at  timestamptz`.execute(db);
  // Partial, so only as large as the number of flags.
  await sql`create index mail_due on sign_ups (id) where mail_due`.execute(db);

  // Mails per minute, counted across all workers.
  await sql`
    create table mail_minutes (
      minute timestamptz primary key,
      mails  integer not null
    )`.execute(db);
}
