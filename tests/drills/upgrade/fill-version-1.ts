import { Client } from "pg";
import { runNode } from "#tests/support/run-node.ts";

/** People whose confirmation is due when version 1.0.0's mail worker starts. */
const DUE = 50;

/**
 * The schema and list of version 1.0.0 as it might look after some months. Returns the addresses that are due a mail.
 */
export async function fillVersion1(folder: string, url: string, people: number): Promise<string[]> {
  const { code, stderr } = await runNode(`${folder}/operator/waitlist.ts`, { DATABASE_URL: url }, ["migrate"]);
  if (code !== 0) throw new Error(stderr);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await fill(client, people);
  } finally {
    await client.end();
  }
}

/** With the companies, consents and totals that signing up one by one would have left. */
async function fill(client: Client, people: number): Promise<string[]> {
  // One in ten was invited, in a hundred waves, and one in a hundred has an address that doesn't exist.
  await client.query(
    `insert into sign_ups (
      email_key, email, first_name, last_name, company, company_key, newsletter,
      joined_at, confirmed_at, invited_at, mail_due, mails, last_mail_at, rejected_at
    )
    select
      address, address, 'Ada', 'Lovelace', company, lower(company), person % 4 = 0,
      joined_at,
      case when person % 2 = 0 and not is_due then joined_at + interval '1 hour' end,
      case when person % 10 = 0 and not is_due then date_trunc('day', now()) - person % 1000 / 10 * interval '1 hour' end,
      is_due,
      case when is_due then 0 else 1 end,
      case when not is_due then joined_at + interval '2 seconds' end,
      case when person % 100 = 1 and not is_due then joined_at + interval '2 seconds' end
    from (
      select
        person,
        md5(person::text) || '@mail' || person % 500 || '.example.com' as address,
        case when person % 2 = 1 then 'Firm ' || person % 20000 end as company,
        now() - ($1 - person) * interval '10 seconds' as joined_at,
        person > $1 - $2 as is_due
      from generate_series(1, $1::integer) as person
    ) as generated`,
    [people, DUE],
  );
  await client.query(`
    insert into companies (key, sign_ups)
    select company_key, count(*) from sign_ups where company_key is not null group by 1`);
  await client.query(
    "insert into consents (sign_up_id, wording_version, given) select id, 1, true from sign_ups where newsletter",
  );
  await client.query(`
    update totals set users = (select count(*) from sign_ups), companies = (select count(*) from companies)
    where slot = 0`);
  // Autovacuum would have run by the time a real list is this long.
  for (const table of ["sign_ups", "companies", "consents"]) await client.query(`vacuum analyze ${table}`);
  await client.query("checkpoint");
  const { rows } = await client.query<{ email: string }>("select email from sign_ups where mail_due");
  return rows.map(({ email }) => email);
}
