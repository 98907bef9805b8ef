import { type Kysely, sql } from "kysely";

/** The consent ledger and its wordings. */
export async function createConsents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table consent_wordings (
      version integer primary key,
      wording text not null
    );
    -- No foreign keys, because they are checked row by row, and the inserting statement knows that both ids exist.
    create table consents (
      sign_up_id      bigint not null,
      wording_version integer not null,
      given           boolean not null,
      at              timestamptz not null default now(),
      primary key (sign_up_id, at)
    );
    create index consents_withdrawn on consents (sign_up_id) where not given;
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'Consents, confirmations and sent messages are append-only (%)', tg_table_name;
    end $$`.execute(db);
  for (const table of ["consents", "consent_wordings"]) {
    await sql`
      create trigger append_only before update on ${sql.table(table)}
      for each row execute function refuse_change()`.execute(db);
  }
  // A purge deletes unconfirmed people, so a stolen credential must not be able to unconfirm anyone.
  await sql`
    create trigger stays_confirmed before update of confirmed_at on sign_ups
    for each row when (old.confirmed_at is not null and new.confirmed_at is null)
    execute function refuse_change();
    -- Records a later change of consent, with the owner's rights, so that no server can choose the time. Not now(), the
    -- transaction's start, because the later of two concurrent changes must come last in the ledger.
    create function record_consent(person bigint, version integer, is_given boolean) returns void
    language sql security definer
    begin atomic
      insert into consents (sign_up_id, wording_version, given, at) values (person, version, is_given, clock_timestamp());
    end;
    revoke all on function record_consent from public`.execute(db);
}

/** Keeps a hash of each erased address, to erase people again if a restored backup brings them back. */
export async function createErasures(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table erasures (
      address_hash bytea primary key check (octet_length(address_hash) = 32),
      erased_at    timestamptz not null,
      -- Feeds an alert. Counted, because a stolen credential could give the same hash for everyone.
      times        integer not null default 1,
      transaction  xid8 not null default pg_current_xact_id()
    );
    create index erasures_erased_at on erasures (erased_at);

    -- Runs with the owner's rights, so that a server needs no right to delete from the list or the consent ledger
    -- (decision 14). The search_path is pinned, because the caller's could name other tables. A second statement clears
    -- the ledger, because it must also see entries that were committed while the first one waited.
    create function erase_person(
      person_key text, hash bytea, pseudonym text,
      out company text, out entries integer, out set_aside timestamptz
    ) returns setof record language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      person bigint;
      confirmed timestamptz;
    begin
      delete from sign_ups where email_key = person_key
      returning id, company_key, set_aside_at, confirmed_at into person, company, set_aside, confirmed;
      if found then
        delete from consents where sign_up_id = person;
        get diagnostics entries = row_count;
        return next;
      end if;
      insert into webhook_events (type, sub) select 'person.erased', pseudonym where confirmed is not null;
      if exists (select from erasures where erased_at >= now() and transaction = pg_current_xact_id()) then
        raise 'Erase one person per transaction';
      end if;
      -- Not now(), the transaction's start, because the sign-up may be newer than that. Rounded up to the next
      -- millisecond, because reapplying compares timestamps in milliseconds.
      insert into erasures as kept (address_hash, erased_at)
      values (hash, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')
      on conflict (address_hash) do update set
        erased_at = greatest(kept.erased_at, excluded.erased_at), times = kept.times + 1,
        transaction = excluded.transaction;
    end $$;
    revoke all on function erase_person from public;
    -- Removes erased names and addresses from planner statistics, with the owner's rights, which ANALYZE needs.
    create function forget_erased() returns void language plpgsql security definer set search_path = public, pg_temp as
    $$ begin analyze sign_ups, quarantine, companies, mailboxes; end $$;
    revoke all on function forget_erased from public`.execute(db);
}
