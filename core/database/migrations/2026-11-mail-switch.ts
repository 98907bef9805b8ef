import { type Kysely, sql } from "kysely";

/** Stores whether mail is on. Until a server records it, mail sent in the last 30 days counts as on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_switch (
      only_row boolean primary key default true check (only_row),
      is_on    boolean not null
    );
    insert into mail_switch (is_on) select exists (select from mail_minutes)`.execute(db);
}
