import { type RawBuilder, sql } from "kysely";
import { escapeLiteral, type PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type Actor, recordActivity } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { PersonColumns } from "#core/database/tables.ts";
import { addLinks, HOLDER_COLUMNS, type LinkOf } from "./export-links.ts";
import { countMatching, type Filter, matches } from "./filter.ts";
import { escapeFormulas } from "./formulas.ts";

export type Format = "csv" | "jsonl";

/** The text fields of the form, by column. The type makes every new field part of the export. */
const FORM_COLUMNS: Record<Exclude<keyof PersonColumns, "email_key" | "newsletter">, string> = {
  email: "email",
  first_name: "firstName",
  last_name: "lastName",
  company: "company",
};
const TEXT_COLUMNS = {
  ...Object.fromEntries(Object.entries(FORM_COLUMNS).map(([column, name]) => [name, sql.ref(column)])),
  utmSource: sql`utm ->> 'source'`,
  utmMedium: sql`utm ->> 'medium'`,
  utmCampaign: sql`utm ->> 'campaign'`,
  utmTerm: sql`utm ->> 'term'`,
  utmContent: sql`utm ->> 'content'`,
};
const TIME_COLUMNS = {
  joinedAt: sql`joined_at`,
  confirmedAt: sql`confirmed_at`,
  invitedAt: sql`invited_at`,
  rejectedAt: sql`rejected_at`,
  unsubscribedAt: sql`case when not newsletter then withdrawn_at end`,
};
/** Read once for the whole export, which is cheap because few people withdraw their consent. */
const WITHDRAWALS = sql`
  left join (
    select sign_up_id, max(at) as withdrawn_at from consents where not given group by 1
  ) as withdrawals on sign_up_id = id`;

/**
 * Streams the list with COPY, which takes constant memory and a fifth of the time of a cursor with rows formatted here.
 * With `linkOf`, each row ends with the link to that person's page. Recorded before the first row leaves, because what
 * follows may be interrupted.
 */
export async function exportStream(
  db: Database,
  actor: Actor,
  client: PoolClient,
  filter: Filter,
  format: Format,
  linkOf?: LinkOf,
): Promise<AsyncIterable<Buffer>> {
  const count = await countMatching(db, filter);
  await recordActivity(db, actor, { action: linkOf ? "export links" : "export", count });
  const isCsv = format === "csv";
  const columns = [
    ...(linkOf ? HOLDER_COLUMNS.map((column) => sql.ref(column)) : []),
    ...Object.entries(TEXT_COLUMNS).map(([name, text]) => aliased(name, text)),
    aliased("newsletter", isCsv ? sql`newsletter::text` : sql`newsletter`),
    ...Object.entries(TIME_COLUMNS).map(([name, time]) => aliased(name, isCsv ? spreadsheetTime(time) : time)),
  ];
  const people = sql`select ${sql.join(columns)} from sign_ups ${WITHDRAWALS} where ${matches(filter)} order by id`;
  await client.query("set timezone = 'UTC'; set datestyle = 'ISO'");
  const copy = (query: RawBuilder<unknown>) => {
    const rows = client.query(copyTo(inlineParameters(db, query)));
    return linkOf ? addLinks(rows, isCsv, linkOf) : rows;
  };
  if (isCsv) {
    const quoted = sql.join(
      [...(linkOf ? ["email_key"] : []), ...Object.keys(TEXT_COLUMNS)].map((name) => sql.ref(name)),
    );
    return escapeFormulas(copy(sql`copy (${people}) to stdout with (format csv, force_quote (${quoted}))`));
  }
  // JSON never contains this quote and delimiter, so COPY writes its lines unchanged.
  return copy(
    sql`copy (select row_to_json(person) from (${people}) as person)
        to stdout with (format csv, quote E'\\x01', delimiter E'\\x02')`,
  );
}

/** What comes before the rows. */
export function exportHeader(format: Format, hasBom = false, hasLinks = false): string {
  const names = [...Object.keys(TEXT_COLUMNS), "newsletter", ...Object.keys(TIME_COLUMNS)];
  const row = `${[...names, ...(hasLinks ? ["link"] : [])].join()}\n`;
  return (hasBom ? "\uFEFF" : "") + (format === "csv" ? row : "");
}

function aliased(name: string, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${value} as ${sql.ref(name)}`;
}

/** "2026-11-30 18:00:00", which spreadsheets recognize as a time. JSON keeps its own format with the time zone. */
function spreadsheetTime(time: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${time} at time zone 'UTC')::timestamp(0)`;
}

/** COPY takes no parameters, so they are inlined as escaped literals. */
function inlineParameters(db: Database, query: RawBuilder<unknown>): string {
  const { sql: text, parameters } = query.compile(db);
  return text.replace(/\$(\d+)/g, (_, position) => {
    const value = parameters[Number(position) - 1];
    return value === null ? "null" : escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  });
}
