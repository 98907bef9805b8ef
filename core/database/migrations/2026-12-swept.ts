import { type Kysely, sql } from "kysely";

/**
 * Stores people moved to quarantine, with their rows in other tables, so that a move can be undone exactly. Functions
 * with the owner's rights move them there and back, because the console's role may neither delete people nor forge them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
  await createErasure(db);
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

/** Erases people even after they were moved to quarantine. */
async function createErasure(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function erase_person(
      person_key text, hash bytea, pseudonym text, out company text, out entries integer, out sharer bigint
    ) returns setof record language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      person bigint;
      confirmed timestamptz;
    begin
      -- Waits for the undo of a move, which would bring the person back.
      perform from moved_sign_ups where email_key = person_key for update;
      delete from sign_ups where email_key = person_key
      returning id, company_key, friend_of, confirmed_at into person, company, sharer, confirmed;
      if found then
        delete from consents where sign_up_id = person;
        get diagnostics entries = row_count;
        return next;
      end if;
      with gone as (delete from moved_sign_ups where email_key = person_key returning sign_up)
      insert into hook_events (type, sub)
      select 'person.erased', pseudonym
      where confirmed is not null or exists (select from gone where sign_up ->> 'confirmed_at' is not null);
      -- Counts even a call that finds nobody, because that call stores a hash too.
      insert into erasure_counts as counted default values
      on conflict (hour) do update set people = counted.people + 1, transaction = excluded.transaction
      where counted.transaction <> excluded.transaction;
      if not found then
        raise 'Erase one person per transaction';
      end if;
      -- Not now(), the transaction's start, because the sign-up may be newer than that. Rounded up to the next
      -- millisecond, because reapplying compares timestamps in milliseconds.
      insert into erasures as kept (address_hash, erased_at)
      values (hash, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')
      on conflict (address_hash) do update set erased_at = greatest(kept.erased_at, excluded.erased_at);
    end $$`.execute(db);
}
