import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { domainOf, toAscii } from "./address.ts";
import { companyKey } from "./company-key.ts";
import { choicesByQuestion, type FILTERS, type FilterName, type FilterValues, NONE, OR } from "./filter-fields.ts";
import { chose } from "./questions.ts";
import { searchQuery } from "./search-words.ts";
import { hasWithdrawn, isIn, isListed } from "./states.ts";

type Values = { [Name in FilterName]: FilterValues[(typeof FILTERS)[Name]["type"]] };

/** Selects people on the list. An omitted field matches everyone on it. */
export type Filter = { [Name in FilterName]?: Values[Name] | undefined };

type Condition = RawBuilder<boolean>;

const CONDITIONS: { [Name in FilterName]: (value: Values[Name]) => Condition } = {
  search: (text) => hasWords(searchQuery(text)),
  confirmed: (isSet) => isIn("confirmed", isSet),
  invited: (isSet) => isIn("invited", isSet),
  accepted: (isSet) => isIn("accepted", isSet),
  suppressed: (isSet) => isIn("suppressed", isSet),
  newsletter: (isSubscribed) => sql`newsletter = ${isSubscribed}`,
  unsubscribed: (isSet) => sql`${hasWithdrawn} = ${isSet}`,
  since: (date) => sql`joined_at >= ${date}`,
  until: (date) => sql`joined_at < ${date}`,
  // Compares company keys: "Acme, Inc." finds "ACME". A placeholder like "n/a" finds nobody.
  company: (names) => sql`company_key = any(${names.split(OR).map((name) => companyKey(name) ?? null)})`,
  domain: (names) => sql`${domainOf()} = any(${names.split(OR).map((name) => toAscii(name.trim()))})`,
  // The UTM parameters of the campaign that brought the person, exactly as stored.
  source: (names) => hasName(sql`utm ->> 'source'`, names),
  medium: (names) => hasName(sql`utm ->> 'medium'`, names),
  campaign: (names) => hasName(sql`utm ->> 'campaign'`, names),
  import: (names) => sql`(utm ? 'import' and ${hasName(sql`utm ->> 'source'`, names)})`,
  answer: (answers) =>
    sql.join(
      choicesByQuestion(answers).map(([question, choices]) => chose(question, choices)),
      sql` and `,
    ),
  wave: (id) => sql`wave_id = ${id}`,
  message: (id) => sql`
    exists (select from deliveries where sign_up_id = sign_ups.id and message_id = ${id} and state in ('sent', 'complained'))`,
};

/**
 * Whether someone is on the list and matches all fields of the filter. Throws for an unknown one, because skipping it
 * could match everyone.
 */
export function matches(filter: Filter): Condition {
  const fields = Object.entries(filter).filter(([, value]) => value !== undefined);
  const conditions = fields.map(([name, value]) => {
    if (!Object.hasOwn(CONDITIONS, name)) throw new Error(`There is no filter "${name}"`);
    return CONDITIONS[name as FilterName](value as never);
  });
  return sql<boolean>`${sql.join([isListed, ...conditions], sql` and `)}`;
}

/** A text without words, like "%", matches nobody. */
function hasWords(query: string | undefined): Condition {
  return query ? sql<boolean>`search_words @@ ${query}::tsquery` : sql<boolean>`false`;
}

function hasName(value: RawBuilder<unknown>, names: string): Condition {
  const isAny = sql<boolean>`${value} = any(${names.split(OR)})`;
  // No coalesce(), because PostgreSQL has no statistics for it.
  return names.split(OR).includes(NONE) ? sql<boolean>`(${isAny} or ${value} is null)` : isAny;
}

export async function countMatching(db: Kysely<Tables>, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from sign_ups where ${matches(filter)}`.execute(db);
  return Number(rows[0]?.count);
}
