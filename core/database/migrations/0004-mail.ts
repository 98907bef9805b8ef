import { type Kysely, sql } from "kysely";

/**
 * Mail to those who join. The mark that one is due is set by the sign-up's own transaction; inserting a job there instead
 * halved the rate of sign-ups. How many were sent and when stands in the row, so that the database keeps the limits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_ups
      add column mail_due     boolean not null default false,
      add column mails        smallint not null default 0,
      add column last_mail_at timestamptz,
      add column rejected_at  timestamptz`.execute(db);
  // Only as large as the number of marks.
  await sql`create index mail_due on sign_ups (id) where mail_due`.execute(db);

  // What was sent in a minute by all together.
  await sql`
    create table mail_minutes (
      minute timestamptz primary key,
      mails  integer not null
    )`.execute(db);
}
