import { type Kysely, sql } from "kysely";

/**
 * Counts for the console's overview, because counting ten million people takes many seconds. A sign-up pays nothing for
 * them: people up to the id in rollup_state are counted, newer ones are read from the list (decision 35). Changes to
 * people who may be counted are written down by triggers.
 */
export async function createRollups(db: Kysely<unknown>): Promise<void> {
  // Hours serve the last days, and days serve all time: adding up hours took half a second.
  await sql`
    create table sign_ups_by_time (
      span       text not null check (span in ('hour', 'day')),
      starts_at  timestamptz not null,
      source     text,
      medium     text,
      campaign   text,
      joined     integer not null,
      confirmed  integer not null,
      invited    integer not null,
      newsletter integer not null,
      rejected   integer not null,
      unique nulls not distinct (span, starts_at, source, medium, campaign)
    )`.execute(db);
  await sql`create index sign_ups_by_time_empty on sign_ups_by_time (starts_at) where joined = 0`.execute(db);

  await sql`create table mail_domains (domain text primary key, people integer not null)`.execute(db);
  await sql`create index mail_domains_people on mail_domains (people desc, domain)`.execute(db);

  await sql`
    create table company_names (
      key     text not null,
      company text not null,
      people  integer not null,
      primary key (key, company)
    )`.execute(db);
  await sql`create index company_names_people on company_names (people desc, key, company)`.execute(db);

  await sql`
    create table rollup_state (
      only_row     boolean primary key default true check (only_row),
      up_to        bigint not null default 0,
      rolled_up_at timestamptz not null default now()
    )`.execute(db);
  await sql`insert into rollup_state default values`.execute(db);

  // What a person counted as before a change (-1) and counts as after it (+1), until it is added up.
  await sql`
    create table rollup_changes (
      sign_up_id  bigint not null,
      weight      smallint not null,
      joined_at   timestamptz not null,
      utm         jsonb,
      confirmed   boolean not null,
      invited     boolean not null,
      newsletter  boolean not null,
      rejected    boolean not null,
      domain      text not null,
      company_key text,
      company     text
    )`.execute(db);
  await sql`create index rollup_changes_sign_up on rollup_changes (sign_up_id)`.execute(db);
  await sql`
    create function record_rollup_change() returns trigger language plpgsql as $$
    declare
      -- Typed, so that a query can name their columns; the second is null after a delete.
      before sign_ups := old;
      after  sign_ups := new;
    begin
      insert into rollup_changes (
        sign_up_id, weight, joined_at, utm, confirmed, invited, newsletter, rejected, domain, company_key, company
      )
      select (person).id, weight, (person).joined_at, (person).utm, (person).confirmed_at is not null,
        (person).invited_at is not null, (person).newsletter, (person).rejected_at is not null,
        split_part((person).email_key, '@', -1), (person).company_key, (person).company
      from (values (-1, before), (1, after)) as images (weight, person) where (person).id is not null;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger roll_up_update
    after update of confirmed_at, invited_at, newsletter, rejected_at, company_key, company on sign_ups
    for each row when (
      (old.confirmed_at is null, old.invited_at is null, old.newsletter, old.rejected_at is null, old.company_key, old.company)
      is distinct from
      (new.confirmed_at is null, new.invited_at is null, new.newsletter, new.rejected_at is null, new.company_key, new.company)
    ) execute function record_rollup_change()`.execute(db);
  await sql`
    create trigger roll_up_delete after delete on sign_ups
    for each row execute function record_rollup_change()`.execute(db);
}
