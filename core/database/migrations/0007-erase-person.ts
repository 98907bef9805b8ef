import { type Kysely, sql } from "kysely";

/**
 * Erases one person with the rights of the tables' owner, so that a server needs no right to delete from the list or
 * its consent ledger (decision 23). The schema is pinned, because the caller's search_path could name other tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The ledger in a statement of its own: it must also see an entry whose transaction the first one waited for.
  await sql`
    create function erase_person(person_key text, cutoff timestamptz, hash bytea, out company text, out entries integer)
    returns setof record language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      person bigint;
    begin
      delete from sign_ups where email_key = person_key and joined_at < cutoff
      returning id, company_key into person, company;
      if found then
        delete from consents where sign_up_id = person;
        get diagnostics entries = row_count;
        return next;
      end if;
      -- Not now(), which is when the transaction started: the sign-up may be newer. Rounded up to the next millisecond,
      -- because reapplying compares timestamps in milliseconds.
      if hash is not null then
        insert into erasures as kept (address_hash, erased_at)
        values (hash, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')
        on conflict (address_hash) do update set erased_at = greatest(kept.erased_at, excluded.erased_at);
      end if;
    end $$`.execute(db);
  await sql`revoke all on function erase_person from public`.execute(db);
}
