import { type Kysely, sql } from "kysely";

/** A trigger keeps people unsubscribed after quarantine, because the console can't change deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table moved_sign_ups add column unsubscribed_at timestamptz;
    -- With the owner's rights, so that no server can choose the time.
    create function unsubscribe_moved(person bigint) returns boolean
    language sql security definer set search_path = public, pg_temp as $$
      update moved_sign_ups set unsubscribed_at = clock_timestamp() where id = person and unsubscribed_at is null
      returning sign_up ->> 'confirmed_at' is null
    $$;
    -- An erasure and the purge delete the row too, but then nobody has its id.
    create function keep_unsubscribed() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      update sign_ups set newsletter = false where id = old.id;
      update sign_ups set mail_due = false, mail_network = 0 where id = old.id and confirmed_at is null;
      insert into consents (sign_up_id, wording_version, given, at)
      select sign_up_id, wording_version, false, old.unsubscribed_at from consents
      where sign_up_id = old.id order by at desc limit 1;
      -- Unconfirmed people get no confirmation (id 1) any more.
      insert into deliveries as kept (message_id, sign_up_id, state, reason)
      select 1, id, 'skipped', 'unsubscribed' from sign_ups where id = old.id and confirmed_at is null
      on conflict (sign_up_id, message_id) do update set
        state = case when kept.state in ('pending', 'failed') then 'skipped' else kept.state end, reason = excluded.reason;
      return null;
    end $$;
    revoke all on function unsubscribe_moved, keep_unsubscribed from public;
    create trigger keep_unsubscribed after delete on moved_sign_ups
    for each row when (old.unsubscribed_at is not null) execute function keep_unsubscribed()`.execute(db);
}
