import { type Kysely, sql } from "kysely";

/**
 * The reminder for people who never confirmed: a built-in message, off until an operator turns it on. Its id is 0, because
 * the ids after 2 are taken. `reminded_to` is the last sign-up that was considered for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table messages
      drop constraint messages_kind_check,
      add check (kind in ('confirmation', 'link', 'reminder', 'invitation', 'announcement')),
      add column after_days integer check (after_days between 1 and 25),
      add column reminded_to bigint;
    insert into messages (id, kind, subject, body, state, started_at, after_days)
    overriding system value values (0, 'reminder', '', '', 'paused', now(), 3);
    create index deliveries_reminded on deliveries (sign_up_id) where message_id = 0`.execute(db);
}
