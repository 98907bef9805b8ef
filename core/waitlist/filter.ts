import { type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { companyKey } from "./company-key.ts";

/** Selects people on the list. An omitted field matches everyone. */
export interface Filter {
  since?: Date;
  until?: Date;
  company?: string;
  newsletter?: boolean;
  confirmed?: boolean;
  rejected?: boolean;
  invited?: boolean;
  /** By id, or by the timestamp of its invitations, which is all that version 1.0.0 stored. */
  wave?: string | Date;
  /** The UTM parameters of the campaign that brought them, exactly as stored. */
  source?: string;
  medium?: string;
  campaign?: string;
}

/** The SQL condition on sign_ups. */
export function matches({ since, until, company, wave, ...filter }: Filter): RawBuilder<boolean> {
  const { newsletter, confirmed, rejected, invited, source, medium, campaign } = filter;
  const conditions = [
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

export async function countMatching(db: Database, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from sign_ups where ${matches(filter)}`.execute(db);
  return Number(rows[0]?.count);
}
