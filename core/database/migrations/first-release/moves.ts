import { type Kysely, sql } from "kysely";

/**
 * Stores people moved to quarantine, with their rows in other tables, so that a move can be undone exactly. Functions
 * with the owner's rights move them there and back, because the console's role may neither delete people nor forge them.
 */
export async function createQuarantine(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table moved_sign_ups (
      id         bigint primary key,
      email_key  text not null,
      -- The move's first entry in the activity.
      move       bigint not null,
      moved_at   timestamptz not null default now(),
      sign_up    jsonb not null,
      consents   jsonb,
      deliveries jsonb,
      events     jsonb
    );
    create index moved_sign_ups_move on moved_sign_ups (move, id);
    create index moved_sign_ups_email_key on moved_sign_ups (email_key);
    -- So that statistics, which outlive an erasure, contain nobody.
    alter table moved_sign_ups alter email_key set statistics 0, alter sign_up set statistics 0,
      alter consents set statistics 0, alter deliveries set statistics 0, alter events set statistics 0;
    create table quarantined_domains (
      domain      text primary key,
      valid_until timestamptz not null
    )`.execute(db);
  await createMoves(db);
}

async function createMoves(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Locks everything first, so that a later statement copies what was committed meanwhile.
    create function move_sign_ups(ids bigint[], activity_id bigint)
    returns table (id bigint, company_key text, friend_of bigint)
    language plpgsql security definer set search_path = public, pg_temp as $$
    #variable_conflict use_column
    begin
      perform from sign_ups where id = any(ids) order by id for update;
      perform from deliveries where sign_up_id = any(ids) order by sign_up_id, message_id for update;
      insert into moved_sign_ups (id, email_key, move, sign_up, consents, deliveries, events)
      select id, email_key, activity_id, to_jsonb(sign_ups),
        (select jsonb_agg(to_jsonb(consents)) from consents where sign_up_id = sign_ups.id),
        (select jsonb_agg(to_jsonb(deliveries)) from deliveries where sign_up_id = sign_ups.id),
        (select jsonb_agg(to_jsonb(hook_events)) from hook_events where person_id = sign_ups.id)
      from sign_ups where id = any(ids);
      delete from consents where sign_up_id = any(ids);
      return query delete from sign_ups where id = any(ids) returning id, company_key, friend_of;
    end $$;

    -- Names the columns that the rows have, so that columns added since the move get their defaults.
    create function put_back(target regclass, rows jsonb) returns void language plpgsql as $$
    declare
      names text;
    begin
      select string_agg(quote_ident(attname), ', ') into names from pg_attribute
      where attrelid = target and attnum > 0 and attgenerated = '' and rows -> 0 ? attname;
      if names is not null then
        execute format('insert into %1$s (%2$s) overriding system value
          select %2$s from jsonb_populate_recordset(null::%1$s, $1) on conflict do nothing', target, names) using rows;
      end if;
    end $$;

    -- Leaves anyone whose address has joined again where they are.
    create function return_sign_ups(ids bigint[]) returns table (id bigint, company_key text, friend_of bigint)
    language plpgsql security definer set search_path = public, pg_temp as $$
    #variable_conflict use_column
    begin
      ids = array(select id from moved_sign_ups where id = any(ids) order by id for update);
      perform put_back('sign_ups', (select jsonb_agg(sign_up order by email_key) from moved_sign_ups where id = any(ids)));
      ids = array(select id from sign_ups where id = any(ids));
      perform put_back('consents', jsonb_agg(each))
      from moved_sign_ups, jsonb_array_elements(consents) as each where id = any(ids);
      perform put_back('deliveries', jsonb_agg(each))
      from moved_sign_ups, jsonb_array_elements(deliveries) as each where id = any(ids);
      perform put_back('hook_events', jsonb_agg(each))
      from moved_sign_ups, jsonb_array_elements(events) as each where id = any(ids);
      -- Mails that were sent stayed counted, and the insert has counted them again.
      update delivery_counts as counted set deliveries = counted.deliveries - again.deliveries,
        reached = counted.reached - again.reached, gmail = counted.gmail - again.gmail,
        soft_bounced = counted.soft_bounced - again.soft_bounced, unsubscribed = counted.unsubscribed - again.unsubscribed
      from (
        select message_id, state, count(*) as deliveries, count(sent_at) as reached,
          count(sent_at) filter (where is_gmail) as gmail, count(soft_bounced_at) as soft_bounced,
          count(unsubscribed_at) as unsubscribed
        from deliveries where sign_up_id = any(ids) and state <> 'pending' group by 1, 2
      ) as again
      where (counted.message_id, counted.state, slot) = (again.message_id, again.state, totals_slot());
      delete from moved_sign_ups where id = any(ids);
      return query select id, company_key, friend_of from sign_ups where id = any(ids);
    end $$;
    revoke all on function move_sign_ups, put_back, return_sign_ups from public`.execute(db);
}

export async function createUndo(db: Kysely<unknown>): Promise<void> {
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
      update sign_ups set mail_network = null where id = old.id and confirmed_at is null;
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
  await sql`
    create function answer_imported(people json) returns void
    language sql security definer set search_path = public, pg_temp as $$
      update sign_ups set answers = given.answers
      from json_to_recordset(people) as given (email_key text, answers jsonb)
      where sign_ups.email_key = given.email_key and given.answers <> '{}'
        and utm ? 'import' and confirmed_at is null and sign_ups.answers is null
    $$;
    create function delete_imported(ids bigint[]) returns table (email_key text, company_key text, friend_of bigint)
    language plpgsql security definer set search_path = public, pg_temp as $$
    #variable_conflict use_column
    begin
      ids = array(select id from sign_ups where id = any(ids) and utm ? 'import' and confirmed_at is null);
      delete from consents where sign_up_id = any(ids);
      return query delete from sign_ups where id = any(ids) returning email_key, company_key, friend_of;
    end $$;
    revoke all on function answer_imported, delete_imported from public`.execute(db);
}
