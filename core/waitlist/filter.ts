import { type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { companyKey } from "./company-key.ts";

/** Selects people on the list. An omitted field matches everyone. */
export interface Filter {
  /** The beginning of an address, of a first or last name, or of a company's name. */
  search?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  company?: string | undefined;
  newsletter?: boolean | undefined;
  confirmed?: boolean | undefined;
  rejected?: boolean | undefined;
  invited?: boolean | undefined;
  /** By id, or by the timestamp of its invitations, which is all that version 1.0.0 stored. */
  wave?: string | Date | undefined;
  /** The UTM parameters of the campaign that brought them, exactly as stored. */
  source?: string | undefined;
  medium?: string | undefined;
  campaign?: string | undefined;
}

/** The SQL condition on sign_ups. */
export function matches({ search, since, until, company, wave, ...filter }: Filter): RawBuilder<boolean> {
  const { newsletter, confirmed, rejected, invited, source, medium, campaign } = filter;
  const conditions = [
    search && startsWith(search),
    since && sql`joined_at >= ${since}`,
    until && sql`joined_at < ${until}`,
    // By company key, as when they joined: "Acme, Inc." finds "ACME". A placeholder like "n/a" finds nobody.
    company !== undefined && sql`company_key = ${companyKey(company) ?? null}`,
    newsletter !== undefined && sql`newsletter = ${newsletter}`,
    confirmed !== undefined && sql`(confirmed_at is not null) = ${confirmed}`,
    rejected !== undefined && sql`(rejected_at is not null) = ${rejected}`,
    invited !== undefined && sql`(invited_at is not null) = ${invited}`,
    wave && (wave instanceof Date ? sql`invited_at = ${wave}` : sql`wave_id = ${wave}`),
    source !== undefined && sql`utm ->> 'source' = ${source}`,
    medium !== undefined && sql`utm ->> 'medium' = ${medium}`,
    campaign !== undefined && sql`utm ->> 'campaign' = ${campaign}`,
  ].filter((condition) => condition !== undefined && condition !== false);
  return conditions.length ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`;
}

function startsWith(search: string): RawBuilder<boolean> {
  const pattern = `${search
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`(
    email_key like ${pattern} or lower(first_name) like ${pattern} or lower(last_name) like ${pattern}
    or lower(company) like ${pattern}
  )`;
}

export async function countMatching(db: Database, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from sign_ups where ${matches(filter)}`.execute(db);
  return Number(rows[0]?.count);
}
