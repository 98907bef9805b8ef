import { type Kysely, sql } from "kysely";

/**
 * The list itself. The unique index on email_key decides who is on it. Each company has a count of its sign-ups, so
 * that it stops counting when its last member is erased. Totals are stored, because counting rows takes longer with
 * every row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sign_ups (
      id          bigint generated always as identity primary key,
      email_key   text not null unique,
      email       text not null,
      first_name  text not null,
      last_name   text not null,
      company     text,
      company_key text,
      newsletter  boolean not null,
      joined_at   timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table companies (
      key      text primary key,
      sign_ups integer not null check (sign_ups > 0)
    )`.execute(db);

  await sql`
    create table totals (
      only_row  boolean primary key default true check (only_row),
      users     bigint not null default 0,
      companies bigint not null default 0
    )`.execute(db);
  await sql`insert into totals default values`.execute(db);

  // Not unique by address: a bot that submits twice is two events for an operator to review.
  await sql`
    create table quarantine (
      id          bigint generated always as identity primary key,
      email_key   text not null,
      email       text not null,
      first_name  text not null,
      last_name   text not null,
      company     text,
      newsletter  boolean not null,
      website     text not null,
      caught_at   timestamptz not null default now()
    )`.execute(db);
}
