import { type Kysely, sql } from "kysely";

/** A trigger sets a new endpoint's host and cursor, so that no role can show another host or send past events. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Finds no host, which isn't allowed, unless the URL is written as the URL standard does.
    create function start_hook() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      new.host = substring(new.url from '^https://([]a-z0-9._:[-]+)/');
      new.cursor = number_hook_events();
      return new;
    end $$;
    revoke all on function start_hook from public;
    create trigger start_hook before insert on hook_endpoints for each row execute function start_hook()`.execute(db);
}
