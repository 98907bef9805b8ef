import { sql } from "kysely";
import { expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { invitePerson } from "#core/invitations/waves.ts";
import { silenceMailbox } from "#core/mail/queue/mailboxes.ts";
import { readDownload } from "#core/members/download.ts";
import { confirmAddress } from "#core/members/member.ts";
import { erase } from "#core/retention/erase.ts";
import { purge } from "#core/retention/purge.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator } from "#tests/support/cli.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();
const keys = createKeys(SECRET);
const EMAIL = "zebulon+tag@example.com";
const rules = { LAUNCH_DATE: "2020-01-01", keys };
/** Operators' own data. */
const OF_OPERATORS = ["console_operators", "console_roles", "console_sessions"];

/** The tables that mention the person by name, address or id. */
async function mentions(id: string): Promise<string[]> {
  const { rows } = await operator.db.pool.query(
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  );
  const found: string[] = [];
  for (const { tablename } of rows) {
    const columns = `${tablename} as mention, jsonb_each_text(to_jsonb(mention)) as cell`;
    const isThem = "cell.value ilike '%zebulon%' or (cell.key in ('person_id', 'sign_up_id') and cell.value = $1)";
    const { rows } = await operator.db.pool.query(`select from ${columns} where ${isThem}`, [id]);
    if (rows.length > 0) found.push(tablename);
  }
  return found;
}

test.each(["erase", "purge"])("%s removes a person from every table that can name one", async (how) => {
  const zebulon = aSignUp({ email: EMAIL, firstName: "Zebulon", company: "Zebulon Inc", newsletter: true });
  await operator.join({ ...zebulon, website: "x" }, null);
  await operator.join(zebulon, null);
  const { id } = await operator.db.selectFrom("sign_ups").select("id").executeTakeFirstOrThrow();
  await confirmAddress(operator.db, id);
  await invitePerson(operator.db, OPERATOR, id);
  await silenceMailbox(operator.db, keyOf(EMAIL));
  await sql`insert into deliveries (message_id, sign_up_id) values (1, ${id})`.execute(operator.db);

  const { rows } = await operator.db.pool.query(`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name ~ '^(email|email_key|person_id|sign_up_id|company_key|mailbox)$'`);
  const named = rows.map(({ name }) => name).filter((name) => !OF_OPERATORS.includes(name));
  expect(await mentions(id)).toEqual([...new Set([...named, "companies"])].sort());
  expect(JSON.stringify(await readDownload(operator.db, keyOf(EMAIL)))).toContain("person.confirmed");

  if (how === "erase") await erase(operator.db, OPERATOR, keyOf(EMAIL), keys);
  else {
    await sql`update sign_ups set joined_at = '2020-06-01'`.execute(operator.db);
    await sql`update quarantine set caught_at = '2020-06-01'`.execute(operator.db);
    await purge(operator.db, OPERATOR, rules, new Date());
  }
  // Operators' actions keep the person's id, which no longer leads to anyone.
  expect(await mentions(id)).toEqual(["activity"]);
});
