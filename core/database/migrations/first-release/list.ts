import { type Kysely, sql } from "kysely";

/**
 * The list itself. The unique index on email_key decides who is on it. Each company counts its sign-ups, so that it
 * leaves the totals when its last member is erased.
 */
export async function createList(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sign_ups (
      id              bigint generated always as identity primary key,
      email_key       text not null unique,
      email           text not null,
      first_name      text not null,
      last_name       text not null,
      company         text,
      company_key     text,
      search_words    tsvector not null default '',
      newsletter      boolean not null,
      idempotency_key uuid,
      utm             jsonb,
      joined_at       timestamptz not null default now(),
      confirmed_at    timestamptz,
      invited_at      timestamptz,
      accepted_at     timestamptz,
      wave_id         bigint,
      mail_network    integer,
      suppressed_at   timestamptz,
      friend_of       bigint,
      -- Null once an operator has voided them.
      friends         integer default 0 check (friends >= 0),
      friends_gained  integer not null default 0 check (friends_gained >= 0),
      answers         jsonb,
      -- Since when an operator has set this person aside; null for everyone on the list.
      set_aside_at    timestamptz,
      -- The line is in the order of line_at and id. Generated, so that no statement can forget it; in UTC, because
      -- PostgreSQL generates no column from a calculation that depends on the session's time zone.
      line_at         timestamptz generated always as (
        case when confirmed_at is not null and invited_at is null and suppressed_at is null and set_aside_at is null then
          (joined_at at time zone 'UTC' - coalesce(friends, 0) * interval '7 days') at time zone 'UTC'
        end) stored
    ) with (fillfactor = 80)`.execute(db);
  await indexList(db);
  await limitSettingAside(db);
  await createQuestions(db);
  await sql`
    -- Without these statistics PostgreSQL estimates every campaign at 0.5% of the list. Sign-ups don't write them.
    create statistics sign_ups_source on (utm ->> 'source') from sign_ups;
    create statistics sign_ups_medium on (utm ->> 'medium') from sign_ups;
    create statistics sign_ups_campaign on (utm ->> 'campaign') from sign_ups;

    create table companies (
      key      text primary key,
      sign_ups integer not null check (sign_ups > 0)
    )`.execute(db);
  await createTotals(db);

  await sql`
    create table quarantine (
      id         bigint generated always as identity primary key,
      email_key  text not null unique,
      email      text not null,
      first_name text not null,
      last_name  text not null,
      company    text,
      newsletter boolean not null,
      website    text not null,
      caught_at  timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table quarantined_domains (
      domain      text primary key,
      valid_until timestamptz not null
    )`.execute(db);
}

/**
 * Each sign-up writes the search index. So does a confirmation, because it changes line_at, which is indexed; the
 * fillfactor leaves room on the page for updates that write no index (decision 18). Of the partial indexes, a sign-up
 * writes only the one for due mail and, through a member's link, friend_of.
 */
async function indexList(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Merges 512 kB of sign-ups (about 2,000) at once in 30 ms. Indexing each one directly took four times the CPU time.
    create index sign_ups_search_words on sign_ups using gin (search_words) with (gin_pending_list_limit = 512);
    -- The list's order. Values only grow, so a sign-up appends to the index's last page. Partial, because counting the
    -- list would otherwise read every row to see who is set aside.
    create index sign_ups_joined_at on sign_ups (joined_at, id) where set_aside_at is null;
    create index sign_ups_set_aside on sign_ups (set_aside_at, id) where set_aside_at is not null;
    -- Ordered by network, because the mail worker serves networks in turn.
    create index sign_ups_mail_network on sign_ups (mail_network, id) where mail_network is not null and set_aside_at is null;
    create index sign_ups_invited on sign_ups (joined_at, id) where invited_at is not null;
    create index sign_ups_wave on sign_ups (wave_id, joined_at, id) where wave_id is not null;
    create index sign_ups_suppressed on sign_ups (joined_at, id) where suppressed_at is not null;
    create index sign_ups_line on sign_ups (line_at, id) where line_at is not null;
    create index sign_ups_friend_of on sign_ups (friend_of) where friend_of is not null;
    create index sign_ups_answers on sign_ups using gin (answers jsonb_path_ops) where answers is not null`.execute(db);
}

/**
 * A purge deletes people 30 days after they were set aside, so a stolen credential must not be able to backdate it, or to
 * hide it: without its activity, no console could show or undo it.
 */
async function limitSettingAside(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_setting_aside() returns trigger language plpgsql as $$
    begin
      raise exception 'Only operators may set people aside, and only as of now';
    end $$;
    -- A day, because all people of one operation get the time at which it began.
    create trigger set_aside_now before update of set_aside_at on sign_ups
    for each row when (new.set_aside_at is not null and (
      new.set_aside_at < now() - interval '1 day' or not has_any_column_privilege('public.activity', 'insert')
    ))
    execute function refuse_setting_aside();
    create function require_activity() returns trigger language plpgsql as $$
    begin
      perform from public.activity where at = new.set_aside_at and action = 'set aside' and continues is null;
      if not found then
        raise exception 'Nobody may set people aside without recording it';
      end if;
      return null;
    end $$;
    -- At commit, because the activity may be recorded after the change.
    create constraint trigger set_aside_recorded after update of set_aside_at on sign_ups deferrable initially deferred
    for each row when (new.set_aside_at is not null) execute function require_activity()`.execute(db);
}

/** Stores totals in slots, because counting takes longer with every row, and servers would contend for a single row. */
async function createTotals(db: Kysely<unknown>): Promise<void> {
  // The low fillfactor keeps a slot's new row version on its page (HOT update).
  await sql`
    create table totals (
      slot      smallint primary key,
      users     bigint not null default 0,
      companies bigint not null default 0
    ) with (fillfactor = 10);
    insert into totals (slot) select generate_series(0, 15);
    -- The slot that a connection writes to. Defined once, because all statements that count must agree.
    create function totals_slot() returns smallint
    language sql volatile parallel safe
    return (pg_backend_pid() % 16)::smallint`.execute(db);
}

/** Up to three questions that confirmed members may answer. Answers are in the person's row, to be deleted with it. */
async function createQuestions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table questions (
      id          bigint generated always as identity primary key,
      version     integer not null default 1,
      -- Three places are what limits the active questions. Checked after the statement, so that two can swap places.
      position    smallint check (position between 1 and 3) unique deferrable,
      text        text not null check (char_length(text) between 1 and 120),
      -- Answers refer to a choice by its number.
      choices     text[] not null check (cardinality(choices) between 2 and 8),
      is_multiple boolean not null,
      retired_at  timestamptz check ((retired_at is null) = (position is not null))
    )`.execute(db);
}
