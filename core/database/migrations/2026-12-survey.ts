import { type Kysely, sql } from "kysely";

/**
 * Up to three questions that confirmed members may answer. Answers are in the person's row, to be deleted with it. The
 * index is partial, so that it costs a sign-up nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
    );
    alter table sign_ups add column answers jsonb;
    create index sign_ups_answers on sign_ups using gin (answers jsonb_path_ops) where answers is not null`.execute(db);
}
