import { sql } from "kysely";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";

/** Bulk-inserts sign-ups, with the companies, consents and totals that real sign-ups would have written. */
export async function fill(db: Database, people: number): Promise<void> {
  await sql`
    insert into sign_ups (email_key, email, first_name, last_name, company, company_key, newsletter, search_words)
    select address, address, 'Ada', 'Lovelace', company, lower(company), person % 4 = 0,
      array_to_tsvector(array_remove(string_to_array(upper(concat_ws(
        ' ', 'Ada Lovelace', company, replace(company, ' ', ''), translate(address, '@.', '  '))), ' '), null))
    from (
      select
        person,
        md5(person::text) || '@mail' || person % 500 || '.example.com' as address,
        case when person % 2 = 1 then 'Firm ' || person % 20000 end as company
      from generate_series(1, ${people}::integer) as person
    ) as generated`.execute(db);
  await sql`
    insert into companies (key, sign_ups)
    select company_key, count(*) from sign_ups where company_key is not null group by 1`.execute(db);
  await sql`insert into consents (sign_up_id, wording_version, given) select id, ${NEWSLETTER_CONSENT.version}, true from sign_ups where newsletter`.execute(
    db,
  );
  await sql`
    update totals set users = (select count(*) from sign_ups), companies = (select count(*) from companies)
    where slot = 0`.execute(db);
  // On a real list of this size, autovacuum would have run.
  for (const table of ["sign_ups", "companies", "consents"]) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  await sql`checkpoint`.execute(db);
}
