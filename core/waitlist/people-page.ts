import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { readConsents } from "#core/database/consents.ts";
import { type Filter, matches } from "./filter.ts";

export interface PagedPerson {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  company: string | null;
  newsletter: boolean;
  joinedAt: Date;
  confirmedAt: Date | null;
  invitedAt: Date | null;
  rejectedAt: Date | null;
  source: string | null;
}

export interface PeoplePage {
  people: PagedPerson[];
  /** Where the next page starts; null on the last one. */
  next: string | null;
}

const ROW = sql.raw(`
  id, email, first_name as "firstName", last_name as "lastName", company, newsletter, joined_at as "joinedAt",
  confirmed_at as "confirmedAt", invited_at as "invitedAt", rejected_at as "rejectedAt", utm ->> 'source' as source`);

/** One page of the list, newest first. By id rather than by offset, so that a page costs the same anywhere in the list. */
export async function readPeoplePage(
  db: Database,
  filter: Filter,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<PeoplePage> {
  const { rows } = await sql<PagedPerson>`
    select ${ROW} from sign_ups
    where ${matches(filter)} and ${before ? sql<boolean>`id < ${before}` : sql<boolean>`true`}
    order by id desc limit ${limit + 1}`.execute(db);
  const people = rows.slice(0, limit);
  return { people, next: rows.length > limit ? (people.at(-1)?.id ?? null) : null };
}

/** What PostgreSQL's statistics say, because an exact count of a filtered list reads all of it. */
export async function estimateMatching(db: Database, filter: Filter): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
    explain (format json) select from sign_ups where ${matches(filter)}`.execute(db);
  return rows[0]?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

/** Everything about one person that the list and the consent ledger hold. */
export async function findPerson(db: Database, id: string) {
  const { rows } = await sql<PagedPerson & { emailKey: string; utm: Record<string, string> | null }>`
    select ${ROW}, email_key as "emailKey", utm from sign_ups where id = ${id}`.execute(db);
  return rows[0] && { ...rows[0], consents: await readConsents(db, id) };
}
