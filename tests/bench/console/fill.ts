import type { Pool } from "pg";

/**
 * Fills a list with everything that a screen shows or filters by, identically in each run: unevenly frequent names and
 * campaigns, a year of sign-ups, and invitations in waves for the first 5% of people.
 */
export async function fillConsole(db: Pool, people: number): Promise<void> {
  await db.query("set synchronous_commit = off");
  // Drops the index first, because building it once is faster than inserting ten million addresses into it.
  await db.query("alter table sign_ups drop constraint sign_ups_email_key_key");
  await db.query(`
    insert into waves (invited_at)
    select now() - interval '30 days' + wave * interval '1 hour' from generate_series(1, 50) as wave`);
  await db.query(
    `
    insert into sign_ups (
      email_key, email, first_name, last_name, company, company_key, search_words, newsletter, utm,
      joined_at, confirmed_at, invited_at, accepted_at, wave_id, suppressed_at
    )
    select
      address, address, first_name, last_name, company, lower(company),
      -- The words that core/people/search-words.ts makes of such names.
      array_to_tsvector(regexp_split_to_array(
        upper(concat_ws(' ', first_name, last_name, company, replace(company, ' ', ''), address)), '[^A-Z0-9]+'
      )),
      person % 4 = 0, utm,
      joined_at,
      case when person % 5 < 3 then joined_at + interval '5 minutes' end,
      waves.invited_at,
      case when person % 2 = 0 then waves.invited_at + interval '1 day' end,
      waves.id,
      case when person % 97 = 0 then joined_at + interval '6 minutes' end
    from (
      select
        person,
        lower(first_name) || '.' || left(hash, 7) || '.' || to_hex(person) || '@mail' || person % 500 || '.example.com'
          as address,
        first_name,
        initcap(substr(md5((person::bigint * 31 % 50021)::text), 1, 7)) as last_name,
        case when person % 2 = 1 then 'Firm ' || left(md5((person % 19997)::text), 5) end as company,
        now() - (365 * (1 - person / $1::float8)) * interval '1 day' as joined_at,
        case
          when person % 50000 = 7 then '{"source": "billboard", "medium": "print", "campaign": "harbor"}'::jsonb
          when person % 20 < 5 then '{"source": "hackernews", "medium": "social", "campaign": "launch"}'
          when person % 20 < 9 then '{"source": "google", "medium": "cpc", "campaign": "soc-automation"}'
        end as utm
      from (
        select
          person,
          md5(person::text) as hash,
          (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Dennis', 'Radia', 'Ken'])
            [1 + (person::bigint * 7919 % 10)] || left(md5((person % 211)::text), 2) as first_name
        from generate_series(1, $1::integer) as person
      ) as named
    ) as described
    left join waves on person <= $1::integer / 20 and waves.id = 1 + person::bigint * 50 / ($1::integer / 20 + 1)
    order by person`,
    [people],
  );
  await db.query("alter table sign_ups add constraint sign_ups_email_key_key unique (email_key)");
  await db.query(`
    insert into companies (key, sign_ups)
    select company_key, count(*) from sign_ups where company_key is not null group by 1`);
  // One subscriber in a hundred later withdrew their consent.
  await db.query(`
    insert into consents (sign_up_id, wording_version, given, at)
    select id, 2, true, joined_at from sign_ups where newsletter`);
  await db.query(`
    insert into consents (sign_up_id, wording_version, given, at)
    select id, 2, false, now() from sign_ups where newsletter and id % 400 = 0`);
  await db.query("update sign_ups set newsletter = false where newsletter and id % 400 = 0");
  await db.query(`
    insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
    select 'bot' || n || '@mail.example', 'bot' || n || '@mail.example', 'Cheap', 'Backlinks', false, 'https://top.example'
    from generate_series(1, 10000) as n`);
  await db.query(`
    insert into page_views (hour, source, medium, campaign, is_other, views, is_partial)
    select date_trunc('hour', now()) - age * interval '1 hour', 'source' || number, 'social', 'launch', false, 40, false
    from generate_series(0, 365 * 24) as age, generate_series(1, 40) as number`);
  await db.query(`
    update totals set users = (select count(*) from sign_ups), companies = (select count(*) from companies)
    where slot = 0`);
  for (const table of ["sign_ups", "companies", "consents", "page_views"]) await db.query(`vacuum analyze ${table}`);
  await db.query("checkpoint");
}
