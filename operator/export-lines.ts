import { type RawBuilder, sql } from "kysely";
import type { Database } from "#server/database/connect.ts";
import { readInPieces } from "#server/database/pieces.ts";
import { type Filter, matches } from "#server/waitlist/filter.ts";

export type Format = "csv" | "jsonl";

/** What is exported of a person, by the name it has there. */
const TEXTS = {
  email: sql`email`,
  firstName: sql`first_name`,
  lastName: sql`last_name`,
  company: sql`company`,
  utmSource: sql`utm ->> 'source'`,
  utmMedium: sql`utm ->> 'medium'`,
  utmCampaign: sql`utm ->> 'campaign'`,
  utmTerm: sql`utm ->> 'term'`,
  utmContent: sql`utm ->> 'content'`,
};
const TIMES = { joinedAt: sql`joined_at`, confirmedAt: sql`confirmed_at`, invitedAt: sql`invited_at` };

/**
 * The list, line by line, some thousands at a time. PostgreSQL makes the lines: handing over a row as twelve values
 * costs more here than all the rest.
 */
export async function* exportLines(
  db: Database,
  filter: Filter,
  format: Format,
): AsyncGenerator<{ text: string; rows: number }> {
  const line = format === "csv" ? csvLine : jsonLine;
  if (format === "csv")
    yield { text: `${[...Object.keys(TEXTS), "newsletter", ...Object.keys(TIMES)].join()}\r\n`, rows: 0 };
  const end = format === "csv" ? "\r\n" : "\n";
  const lines = sql<{ line: string }>`select ${line} as line from sign_ups where ${matches(filter)} order by id`;
  for await (const rows of readInPieces(db, lines)) {
    yield { text: rows.map((row) => row.line + end).join(""), rows: rows.length };
  }
}

function isoTime(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Quoted always; what a spreadsheet would run as a formula, also by its wide forms, begins with an apostrophe. */
function cell(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql`'"' || coalesce(replace(case when ${text} ~ '^[-=+@\t\r＝＋－＠]' then '''' else '' end || (${text}), '"', '""'), '') || '"'`;
}

const csvLine = sql.join(
  [
    ...Object.values(TEXTS).map(cell),
    sql`newsletter`,
    ...Object.values(TIMES).map((time) => sql`coalesce(${isoTime(time)}, '')`),
  ],
  sql` || ',' || `,
);

const jsonLine = sql`json_build_object(${sql.join([
  ...Object.entries(TEXTS).flatMap(([name, text]) => [sql.lit(name), text]),
  ...[sql.lit("newsletter"), sql`newsletter`],
  ...Object.entries(TIMES).flatMap(([name, time]) => [sql.lit(name), isoTime(time)]),
])})::text`;
