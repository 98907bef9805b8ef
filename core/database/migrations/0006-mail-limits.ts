import { type Kysely, sql } from "kysely";

/**
 * Keeps strangers from using our mail against others. During a surge of sign-ups, every worker holds mail back until
 * the time in mail_hold. Due mail takes turns by network, and a mailbox has a limit of its own, whatever its addresses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_hold (
      only_row boolean primary key default true check (only_row),
      until    timestamptz not null
    )`.execute(db);

  await sql`
    alter table sign_ups
      add column mail_network smallint,
      add column mailbox_key  text`.execute(db);
  // Partial, because nearly every address is its own mailbox, and those sign-ups shouldn't pay for an index.
  await sql`create index mailbox_key on sign_ups (mailbox_key) where mailbox_key is not null`.execute(db);
}
