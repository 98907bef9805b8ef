import { type Kysely, sql } from "kysely";

/** Tables for operators: waves, activity, nightly tasks and overview figures. */
export async function createOperators(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table waves (
      id         bigint generated always as identity primary key,
      invited_at timestamptz not null
    )`.execute(db);

  // Who changed what and when. No foreign key and no member's address or name, because entries outlive an erasure and
  // must not contain personal data (decision 17).
  await sql`
    create table activity (
      id         bigint generated always as identity primary key,
      at         timestamptz not null default now(),
      actor      text not null,
      via        text not null,
      action     text not null,
      person_id  bigint,
      message_id bigint,
      wave_id    bigint,
      count      integer,
      continues  bigint
    )`.execute(db);
  // These indexes are partial, because most entries are neither about one person nor part of a longer change.
  await sql`create index activity_person on activity (person_id, id) where person_id is not null`.execute(db);
  await sql`create index activity_continues on activity (continues) where continues is not null`.execute(db);

  // Stored in the database, because the servers that report a missing backup or check may run on other machines.
  await sql`
    create table maintenance_runs (
      task         text primary key,
      succeeded_at timestamptz not null
    )`.execute(db);

  // At most one row; none while the list is short enough to count on demand (decision 18).
  await sql`
    create table overview_figures (
      only_row      boolean primary key default true check (only_row),
      counted_at    timestamptz not null,
      last_activity bigint not null,
      figures       jsonb not null,
      took_ms       jsonb not null
    )`.execute(db);
}
