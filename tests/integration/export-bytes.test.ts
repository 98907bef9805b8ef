import { execFile } from "node:child_process";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { exportFile, type Format } from "#core/people/export-file.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const database = useTestDatabase();

/** The contract rejects most of these; an older version or an import may have stored them all the same. */
const NASTY = [
  'quotes " "" and, commas',
  "line\nbreak\r\nand\ttab",
  "\u0001\u0002\u0008\u000b\u001b\u001f\u007f\u0085\u2028\u2029",
  "\u202etfel ot thgir\u202c \u2066isolate\u2069 \ufeff",
  "back\\slash \\\\ \\n \\t \\x41 \\u0041",
  "\\N",
  "\\.",
  "NULL",
  "",
  " ",
  "😀 𝒳 e\u0301 ẞ 日本語",
  "'",
  '"',
  "{}",
];
const TIMES = [
  "1999-12-31 23:59:59.5Z",
  "2000-01-01 00:00:00Z",
  "2024-02-29 23:59:59.999999Z",
  "2026-11-16 02:17:14.1234Z",
  "2026-11-16 02:17:14.5Z",
  "2026-12-31 23:59:59.499999+05:30",
  "2199-01-01 00:00:00.000001Z",
];

beforeAll(async () => {
  const at = (list: string[], index: number) => list[index % list.length];
  for (let index = 0; index < NASTY.length * TIMES.length; index += 1) {
    const [value, time] = [at(NASTY, index) as string, at(TIMES, index)];
    const optional = (text: string | undefined) => (index % 3 === 0 ? null : text);
    const utm = index % 4 === 0 ? null : { source: value, medium: at(NASTY, index + 3), term: optional(value) };
    await sql`
      insert into sign_ups (email_key, email, first_name, last_name, company, newsletter, utm,
        joined_at, confirmed_at, invited_at, rejected_at)
      values (${`${index}@example.com`}, ${value}, ${at(NASTY, index + 1)}, ${at(NASTY, index + 2)}, ${optional(value)},
        ${index % 2 === 0}, ${utm && JSON.stringify(utm)}, ${time}, ${optional(at(TIMES, index + 1))},
        ${optional(at(TIMES, index + 2))}, ${optional(at(TIMES, index + 3))})`.execute(database.db);
  }
  await sql`
    insert into consents (sign_up_id, wording_version, given, at)
    select id, 1, false, joined_at + interval '1.25 seconds' from sign_ups where id % 5 > 1`.execute(database.db);
});

async function exported(format: Format): Promise<string> {
  return text(exportFile(database.db, OPERATOR, { filter: {}, format }, () => {}));
}

const TEXTS = sql`email, first_name as "firstName", last_name as "lastName", company,
  utm ->> 'source' as "utmSource", utm ->> 'medium' as "utmMedium", utm ->> 'campaign' as "utmCampaign",
  utm ->> 'term' as "utmTerm", utm ->> 'content' as "utmContent"`;
const PEOPLE = sql`
  sign_ups left join (
    select sign_up_id, max(at) as withdrawn_at from consents where not given group by 1
  ) as withdrawals on sign_up_id = id`;

/** The columns with times, formatted. */
function times(format: string) {
  const values = {
    joinedAt: "joined_at",
    confirmedAt: "confirmed_at",
    invitedAt: "invited_at",
    rejectedAt: "rejected_at",
    unsubscribedAt: "case when not newsletter then withdrawn_at end",
  };
  const formatted = ([name, value]: [string, string]) =>
    `to_char((${value}) at time zone 'UTC', '${format}') as "${name}"`;
  return sql.raw(Object.entries(values).map(formatted).join());
}

test("JSON Lines are byte for byte what PostgreSQL's row_to_json writes", async () => {
  const { rows } = await sql<{ line: string }>`
    select row_to_json(person)::text as line from (
      select ${TEXTS}, newsletter, ${times('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')} from ${PEOPLE} order by id
    ) as person`.execute(database.db);
  expect(rows).toHaveLength(NASTY.length * TIMES.length);
  expect(await exported("jsonl")).toBe(rows.map(({ line }) => `${line}\n`).join(""));
});

test("CSV is byte for byte what PostgreSQL's COPY writes with every text quoted", async () => {
  const { sql: query } = sql`copy (
    select ${TEXTS}, newsletter::text, ${times("YYYY-MM-DD HH24:MI:SS")} from ${PEOPLE} order by id
  ) to stdout with (format csv, header, force_quote (
    email, "firstName", "lastName", company, "utmSource", "utmMedium", "utmCampaign", "utmTerm", "utmContent"))`.compile(
    database.db,
  );
  const { stdout } = await promisify(execFile)("psql", [database.url, "--no-psqlrc", "--command", query]);
  expect(await exported("csv")).toBe(stdout);
});
