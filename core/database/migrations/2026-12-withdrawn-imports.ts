import { type Kysely, sql } from "kysely";

/**
 * Functions for an import and its undo, with the owner's rights, because the console's role may neither delete people
 * nor change their answers. They affect only imported people who haven't confirmed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function answer_imported(people json) returns void
    language sql security definer set search_path = public, pg_temp as $$
      update sign_ups set answers = given.answers
      from json_to_recordset(people) as given (email_key text, answers jsonb)
      where sign_ups.email_key = given.email_key and given.answers <> '{}'
        and utm ? 'import' and confirmed_at is null and sign_ups.answers is null
    $$;
    create function delete_imported(ids bigint[]) returns table (email_key text, company_key text, friend_of bigint)
    language plpgsql security definer set search_path = public, pg_temp as $$
    #variable_conflict use_column
    begin
      ids = array(select id from sign_ups where id = any(ids) and utm ? 'import' and confirmed_at is null);
      delete from consents where sign_up_id = any(ids);
      return query delete from sign_ups where id = any(ids) returning email_key, company_key, friend_of;
    end $$;
    revoke all on function answer_imported, delete_imported from public`.execute(db);
}
