import type { Database } from "#core/database/connect.ts";
import type { Filter } from "#core/people/filter.ts";
import { readPeoplePage } from "#core/people/people-page.ts";

interface Person {
  email: string;
  firstName?: string;
  company?: string;
  newsletter?: boolean;
  confirmed?: boolean;
  suppressed?: boolean;
  invited?: boolean;
}

/** Adds people to the list, confirmed and subscribed by default, and returns their ids. */
export async function addPeople(db: Database, people: Person[]): Promise<string[]> {
  const ids: string[] = [];
  for (const person of people) {
    const { email, firstName = "Ada", company = null, newsletter = true, confirmed = true } = person;
    const { rows } = await db.pool.query(
      `insert into sign_ups (email_key, email, first_name, last_name, company, newsletter, confirmed_at, suppressed_at, invited_at)
      values ($1, $1, $2, 'Lovelace', $3, $4, case when $5 then now() end, case when $6 then now() end,
        case when $7 then now() end)
      returning id`,
      [email, firstName, company, newsletter, confirmed, person.suppressed ?? false, person.invited ?? false],
    );
    ids.push(rows[0].id);
  }
  return ids;
}

/** Adds this many people, with addresses like p7@example.com. */
export async function addMany(db: Database, count: number): Promise<string[]> {
  const { rows } = await db.pool.query(
    `insert into sign_ups (email_key, email, first_name, last_name, newsletter, confirmed_at)
    select address, address, 'Ada', 'Lovelace', true, now()
    from generate_series(1, $1::integer) as number, format('p%s@example.com', number) as address
    returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** The addresses of the next people to invite from a campaign, in order. */
export async function nextInLine(db: Database, campaign: string, count: number): Promise<string[]> {
  const { rows } = await db.pool.query(
    `select email from sign_ups
    where utm ->> 'campaign' = $1 and line_at is not null order by line_at, id limit $2`,
    [campaign, count],
  );
  return rows.map(({ email }) => email);
}

/** The first people whom the console lists. */
export async function listPeople(db: Database, filter: Filter, limit: number) {
  return (await readPeoplePage(db, filter, { limit })).people;
}
