import { type Kysely, sql } from "kysely";

/** Stores when people used their invitation, as reported by the product, and the secrets that sign these reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_ups add column accepted_at timestamptz;
    create or replace function record_hook_events() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      insert into hook_events (type, person_id)
      select type, new.id from (values
        ('person.confirmed', old.confirmed_at is null),
        ('person.invited', new.invited_at is not null and (old.invited_at is null or old.confirmed_at is null)),
        ('person.accepted', old.accepted_at is null and new.accepted_at is not null),
        ('person.unsubscribed', old.newsletter and not new.newsletter),
        ('person.rejected', old.rejected_at is null and new.rejected_at is not null)
      ) as happened (type, is_new) where is_new;
      return null;
    end $$;
    drop trigger hook_events on sign_ups;
    create trigger hook_events after update of confirmed_at, invited_at, accepted_at, newsletter, rejected_at on sign_ups
    for each row when (new.confirmed_at is not null) execute function record_hook_events();
    create table acceptance_secrets (
      id         bigint generated always as identity primary key,
      secret     text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
}
