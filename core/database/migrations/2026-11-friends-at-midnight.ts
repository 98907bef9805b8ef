import { type Kysely, sql } from "kysely";

/**
 * Keeps the number of friends at the start of the day for members to see: someone who signs up a stranger through their
 * own link must not learn when that person confirms or leaves.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_ups add column friends_at_midnight integer, add column friends_changed_on timestamptz;
    create function keep_friends_at_midnight() returns trigger language plpgsql as $$
    begin
      if new.friends_changed_on is null or new.friends_changed_on < date_trunc('day', now(), 'UTC') then
        new.friends_at_midnight = old.friends;
        new.friends_changed_on = date_trunc('day', now(), 'UTC');
      end if;
      return new;
    end $$;
    create trigger keep_friends_at_midnight before update of friends on sign_ups
    for each row when (new.friends <> old.friends) execute function keep_friends_at_midnight()`.execute(db);
}
