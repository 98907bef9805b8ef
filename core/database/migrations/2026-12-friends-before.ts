import { type Kysely, sql } from "kysely";

/**
 * Keeps the friend count at the midnight before last, so that members see how many they gained by midnight. If the
 * day's first change erased this number, members would see when that change happened.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_ups add column friends_before integer;
    create or replace function keep_friends_at_midnight() returns trigger language plpgsql as $$
    declare today timestamptz := date_trunc('day', now(), 'UTC');
    begin
      if new.friends_changed_on is null or new.friends_changed_on < today then
        new.friends_before =
          case old.friends_changed_on when today - interval '24 hours' then old.friends_at_midnight else old.friends end;
        new.friends_at_midnight = old.friends;
        new.friends_changed_on = today;
      end if;
      return new;
    end $$`.execute(db);
}
