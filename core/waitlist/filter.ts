import { type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { companyKey } from "./company-key.ts";
import { addressPatterns, namePatterns } from "./search-patterns.ts";

/** Selects people on the list. An omitted field matches everyone. */
export interface Filter {
  /** The beginning of an address, of a first, last or full name, or of a company's name. */
  search?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  company?: string | undefined;
  newsletter?: boolean | undefined;
  confirmed?: boolean | undefined;
  rejected?: boolean | undefined;
  invited?: boolean | undefined;
  /** Subscribed to the newsletter once, and no longer. */
  unsubscribed?: boolean | undefined;
  wave?: string | undefined;
  /** The UTM parameters of the campaign that brought them, exactly as stored. */
  source?: string | undefined;
  medium?: string | undefined;
  campaign?: string | undefined;
}

/** The SQL condition on sign_ups. */
export function matches({ search, since, until, company, wave, ...filter }: Filter): RawBuilder<boolean> {
  const { newsletter, confirmed, rejected, invited, unsubscribed, source, medium, campaign } = filter;
  const conditions = [
    search && sql`(${sql.join(searchConditions(search), sql` or `)})`,
    since && sql`joined_at >= ${since}`,
    until && sql`joined_at < ${until}`,
    company !== undefined && companyCondition(company),
    newsletter !== undefined && sql`newsletter = ${newsletter}`,
    confirmed !== undefined && hasValue("confirmed_at", confirmed),
    rejected !== undefined && hasValue("rejected_at", rejected),
    invited !== undefined && hasValue("invited_at", invited),
    unsubscribed !== undefined && sql`${HAS_WITHDRAWN} = ${unsubscribed}`,
    wave && sql`wave_id = ${wave}`,
    source !== undefined && sql`utm ->> 'source' = ${source}`,
    medium !== undefined && sql`utm ->> 'medium' = ${medium}`,
    campaign !== undefined && sql`utm ->> 'campaign' = ${campaign}`,
  ].filter((condition) => condition !== undefined && condition !== false);
  return conditions.length ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`;
}

/** An IS NULL test, because the predicates of the partial indexes are written like that. */
function hasValue(column: string, isSet: boolean): RawBuilder<boolean> {
  return isSet ? sql<boolean>`${sql.ref(column)} is not null` : sql<boolean>`${sql.ref(column)} is null`;
}

const HAS_WITHDRAWN = sql<boolean>`
  (not newsletter and exists (select from consents where sign_up_id = sign_ups.id and not given))`;

/** Written as the search indexes are (core/database/indexes.ts). */
const NAMES = [sql`lower(first_name || ' ' || last_name)`, sql`lower(last_name)`, sql`lower(company)`];

/** Each is served by an index of its own. */
export function searchConditions(search: string): RawBuilder<boolean>[] {
  return [
    ...addressPatterns(search).map((pattern) => sql<boolean>`email_key like ${pattern}`),
    ...namePatterns(search).flatMap((pattern) => NAMES.map((name) => sql<boolean>`${name} like ${pattern}`)),
  ];
}

/** Compares company keys: "Acme, Inc." finds "ACME". A placeholder like "n/a" finds nobody. */
export function companyCondition(company: string): RawBuilder<boolean> {
  return sql<boolean>`company_key = ${companyKey(company) ?? null}`;
}

export async function countMatching(db: Database, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from sign_ups where ${matches(filter)}`.execute(db);
  return Number(rows[0]?.count);
}
