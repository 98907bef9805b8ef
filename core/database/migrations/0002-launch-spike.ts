import { type Kysely, sql } from "kysely";

/**
 * For the traffic of a launch day: totals in slots, so that several servers don't queue behind one row; an idempotency
 * key, so that resending a form is harmless; and a ledger of what people consented to, in which wording.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_ups add column idempotency_key uuid`.execute(db);

  // The existing row becomes slot 0. The low fillfactor keeps a slot's new row version on its page (HOT update).
  await sql`alter table totals rename to totals_before`.execute(db);
  await sql`
    create table totals (
      slot      smallint primary key,
      users     bigint not null default 0,
      companies bigint not null default 0
    ) with (fillfactor = 10)`.execute(db);
  await sql`insert into totals (slot) select generate_series(0, 15)`.execute(db);
  await sql`
    update totals set users = totals_before.users, companies = totals_before.companies
    from totals_before where slot = 0`.execute(db);
  await sql`drop table totals_before`.execute(db);

  await sql`
    create table consent_wordings (
      version integer primary key,
      wording text not null
    )`.execute(db);

  // No foreign keys: they are checked row by row, and both ids come from the statement that inserts them.
  await sql`
    create table consents (
      sign_up_id      bigint not null,
      wording_version integer not null,
      given           boolean not null,
      at              timestamptz not null default now(),
      primary key (sign_up_id, at)
    )`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% only grows: what was agreed to stays as it was', tg_table_name;
    end $$`.execute(db);
  for (const table of ["consents", "consent_wordings"]) {
    await sql`
      create trigger append_only before update on ${sql.table(table)}
      for each row execute function refuse_change()`.execute(db);
  }
}
