import type { Readable } from "node:stream";
import { type RawBuilder, sql } from "kysely";
import { escapeLiteral, type PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Database } from "#server/database/connect.ts";
import { type Filter, matches } from "#server/waitlist/filter.ts";

export type Format = "csv" | "jsonl";

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
 * The list as PostgreSQL itself writes it, which takes the same memory for any number of people and a fifth of the time
 * of a cursor whose rows pass through here one by one.
 */
export async function exportStream(
  db: Database,
  client: PoolClient,
  filter: Filter,
  format: Format,
): Promise<Readable> {
  const texts = Object.entries(TEXTS).map(([name, text]) => named(name, format === "csv" ? harmless(text) : text));
  const times = Object.entries(TIMES).map(([name, time]) => named(name, isoTime(time)));
  const newsletter = format === "csv" ? sql`newsletter::text` : sql`newsletter`;
  const people = sql`select ${sql.join([...texts, newsletter, ...times])} from sign_ups where ${matches(filter)} order by id`;
  const copied =
    format === "csv"
      ? sql`copy (${people}) to stdout with (format csv, header)`
      : // With a quote and a delimiter that JSON never holds, its lines are left as they are.
        sql`copy (select row_to_json(person) from (${people}) as person) to stdout with (format csv, quote E'\\x01', delimiter E'\\x02')`;
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'");
  return client.query(copyTo(withLiterals(db, copied)));
}

function named(name: string, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${value} as ${sql.ref(name)}`;
}

/** What a spreadsheet would run as a formula, also by its wide signs, begins with an apostrophe. */
function harmless(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when strpos('=+-@＝＋－＠', left(${text}, 1)) > 0 then '''' || (${text}) else ${text} end`;
}

/** "2026-11-30T18:00:00.123456Z". By hand, because to_char takes three times as long. */
function isoTime(time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`replace(replace(${time}::text, ' ', 'T'), '+00', 'Z')`;
}

/** COPY takes no parameters, so they are written into it, each as a literal. */
function withLiterals(db: Database, query: RawBuilder<unknown>): string {
  const { sql: text, parameters } = query.compile(db);
  return text.replace(/\$(\d+)/g, (_, place) => {
    const value = parameters[Number(place) - 1];
    return value === null ? "null" : escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  });
}
