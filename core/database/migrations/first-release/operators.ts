import { type Kysely, sql } from "kysely";

/** Tables for operators: the team's console, waves, activity, nightly tasks and overview figures. */
export async function createOperators(db: Kysely<unknown>): Promise<void> {
  await createTeam(db);
  await sql`
    create table waves (
      id         bigint generated always as identity primary key,
      invited_at timestamptz not null
    );

    -- Who changed what and when. The operator is whose role or session it was. No foreign key and no member's address or
    -- name, because entries outlive an erasure and must not contain personal data (decision 17).
    create table activity (
      id         bigint generated always as identity primary key,
      at         timestamptz not null default now(),
      actor      text not null,
      via        text not null,
      action     text not null,
      person_id  bigint,
      message_id bigint,
      wave_id    bigint,
      webhook_id    bigint,
      count      integer,
      continues  bigint,
      operator   text,
      -- As the message's subject was at the time, because a draft's changes later.
      subject    text
    );
    -- These indexes are partial, because most entries are neither about one person nor part of a longer change.
    create index activity_person on activity (person_id, id) where person_id is not null;
    create index activity_continues on activity (continues) where continues is not null;
    create index activity_set_aside on activity (at) where action = 'set aside'`.execute(db);
  await createForgetting(db);

  // Stored in the database, because the servers that report a missing backup or check may run on other machines.
  await sql`
    create table maintenance_runs (
      task         text primary key,
      succeeded_at timestamptz not null
    );

    -- At most one row; none while the list is short enough to count on demand (decision 18).
    create table overview_figures (
      only_row      boolean primary key default true check (only_row),
      counted_at    timestamptz not null,
      last_activity bigint not null,
      figures       jsonb not null,
      took_ms       jsonb not null
    );

    -- Page views by hour and campaign, added up by the servers. Only counts: no column identifies a visitor.
    create table page_views (
      hour       timestamptz not null,
      -- Empty if the URL doesn't name it.
      source     text not null,
      medium     text not null,
      campaign   text not null,
      is_other   boolean not null check (not is_other or source || medium || campaign = ''),
      views      integer not null,
      is_partial boolean not null,
      primary key (hour, source, medium, campaign, is_other)
    )`.execute(db);
}

/** Who may sign in to the team's console, and who has. Names operators, never people on the list. */
async function createTeam(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table console_roles (
      who  text primary key,
      role text not null check (role in ('viewer', 'editor', 'admin'))
    );
    create table console_operators (
      issuer       text not null,
      subject      text not null,
      email        text primary key,
      signed_in_at timestamptz not null default now()
    );
    create table console_sessions (
      id              bigint generated always as identity primary key,
      token_hash      bytea not null unique check (octet_length(token_hash) = 32),
      issuer          text not null,
      email           text not null references console_operators on delete cascade,
      role_from_claim text check (role_from_claim in ('viewer', 'editor', 'admin')),
      id_token        text not null,
      created_at      timestamptz not null default now(),
      last_seen_at    timestamptz not null default now()
    )`.execute(db);
}

/** Deletes operators' addresses with the owner's rights, because nobody else may change the activity. */
async function createForgetting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function forget_operators() returns void language sql security definer
    begin atomic
      delete from console_operators where signed_in_at < now() - interval '1 year';
      delete from activity where action = 'refuse sign-in' and at < now() - interval '30 days';
      update activity set actor = case when actor like '%@%' then 'former operator' else actor end,
        operator = null
      where at < now() - interval '1 year' and (actor like '%@%' or operator is not null);
    end;
    revoke all on function forget_operators from public`.execute(db);
}
