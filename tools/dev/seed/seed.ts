import { type Kysely, sql } from "kysely";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { CONFIRMATION } from "#core/mail/recipients.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { generatePeople, generateQuarantined, type SeededPerson } from "./people.ts";

/** Fills an empty list with generated people, like a list that opened some weeks ago. */
export async function seed(db: Database, count: number, now = new Date()): Promise<void> {
  await recordConsentWording(db);
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql`select from sign_ups limit 1`.execute(transaction);
    if (rows.length > 0) throw new Error("The list is not empty. --people needs an empty list.");
    await insertPeople(transaction, generatePeople(count, now));
    await countPeople(transaction);
    await nameWaves(transaction);
    await countViews(transaction);
    await confirmationsSent(transaction);
    await transaction
      .insertInto("quarantine")
      .values(generateQuarantined(Math.ceil(count / 200), now))
      .execute();
  });
}

const COLUMNS = sql.raw(`
  email_key, email, first_name, last_name, company, company_key, search_words, utm, newsletter,
  joined_at, confirmed_at, invited_at, accepted_at, suppressed_at`);

async function insertPeople(db: Kysely<Tables>, people: SeededPerson[]): Promise<void> {
  await sql`
    with joined as (
      insert into sign_ups (${COLUMNS})
      select ${COLUMNS} from json_populate_recordset(null::sign_ups, ${JSON.stringify(people)}) order by joined_at
      returning id, email_key
    )
    insert into consents (sign_up_id, wording_version, given, at)
    select id, ${NEWSLETTER_CONSENT.version}, given, at
    from json_to_recordset(${JSON.stringify(people)})
      as person (email_key text, agreed_at timestamptz, withdrew_at timestamptz)
    join joined using (email_key)
    cross join lateral (values (true, agreed_at), (false, withdrew_at)) as choice (given, at)
    where at is not null`.execute(db);
}

/** Writes the counts that individual sign-ups would have written. */
async function countPeople(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into companies (key, sign_ups)
    select company_key, count(*) from sign_ups where company_key is not null group by 1`.execute(db);
  await sql`
    update totals set users = (select count(*) from sign_ups), companies = (select count(*) from companies)
    where slot = 0`.execute(db);
}

/** Of 100 views, 5 to 9 led to a sign-up, depending on the campaign; one campaign's views led to none. */
async function countViews(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into page_views (hour, source, medium, campaign, is_other, views, is_partial)
    select date_trunc('hour', joined_at, 'UTC'), viewed.source, viewed.medium, viewed.campaign, false, sum(views), false
    from sign_ups, lateral (
      select coalesce(utm ->> 'source', ''), coalesce(utm ->> 'medium', ''), coalesce(utm ->> 'campaign', '')
    ) as came (source, medium, campaign), lateral (
      values (came.source, came.medium, came.campaign, 11 + 5 * length(came.source) % 9),
        ('reddit', 'social', 'ask-me-anything', id % 2)
    ) as viewed (source, medium, campaign, views)
    group by 1, 2, 3, 4`.execute(db);
}

async function confirmationsSent(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into deliveries (message_id, sign_up_id, state, created_at, tried_at, sent_at, reported_at)
    select ${CONFIRMATION}, id, case when suppressed_at is null then 'sent' else 'bounced' end, joined_at,
      joined_at + interval '2 seconds', case when suppressed_at is null then joined_at + interval '2 seconds' end, suppressed_at
    from sign_ups`.execute(db);
  await sql`
    insert into mail_minutes (minute, mails, people)
    select date_trunc('minute', tried_at), count(*), count(*) from deliveries
    where tried_at > now() - interval '30 days' group by 1`.execute(db);
}

async function nameWaves(db: Kysely<Tables>): Promise<void> {
  await sql`
    with wave as (
      insert into waves (invited_at)
      select distinct invited_at from sign_ups where invited_at is not null order by 1
      returning id, invited_at
    )
    update sign_ups set wave_id = wave.id from wave where sign_ups.invited_at = wave.invited_at`.execute(db);
}
