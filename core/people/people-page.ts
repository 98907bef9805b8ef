import { type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { withinTime } from "#core/database/transaction.ts";
import { companyKey } from "./company-key.ts";
import { type Filter, matches } from "./filter.ts";
import { OR } from "./filter-fields.ts";
import { isListed } from "./states.ts";

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
  acceptedAt: Date | null;
  suppressedAt: Date | null;
  source: string | null;
}

export interface PeoplePage {
  people: PagedPerson[];
  /** Where the next page starts; null at the end of the list. */
  next: string | null;
  /** If the page is short but isn't the last: the join date of the last person read. */
  searchedTo: Date | null;
  /** Whether the search matched only inside words. */
  isInside: boolean;
}

interface PageRequest {
  before?: string | null | undefined;
  limit: number;
  /** How many rows a request may read, by default about 0.1 s' worth. */
  maxRead?: number;
  /** How long to look inside words for a search that otherwise finds nobody. By default, not at all. */
  insideMs?: number;
}

const COLUMNS = sql.raw(`
  id, email, first_name as "firstName", last_name as "lastName", company, newsletter, joined_at as "joinedAt",
  confirmed_at as "confirmedAt", invited_at as "invitedAt", accepted_at as "acceptedAt", suppressed_at as "suppressedAt",
  utm ->> 'source' as source`);

/** A person's position in the list, as microseconds and id. It stays valid when they are erased. */
const PLACE = sql.raw("concat((extract(epoch from joined_at) * 1000000)::bigint, '-', id)");

export const PLACE_FORMAT = /^\d{1,16}-\d{1,18}$/;

/**
 * One page of the list, newest first. Keyset pagination, so that every page costs the same. A page may be short,
 * because filters without an index are applied to `maxRead` rows at a time.
 */
export async function readPeoplePage(
  db: Database,
  asked: Filter,
  { before, limit, maxRead = 50_000, insideMs = 0 }: PageRequest,
): Promise<PeoplePage> {
  const { search, company, domain, since, until } = asked;
  // Searching for the words of `companyKey` finds every spelling of the company.
  const names = company === undefined ? domain?.split(OR) : company.split(OR).map((name) => companyKey(name) ?? "");
  const texts = search === undefined ? names : [search];
  const found = texts && (await findByWords(db, texts));
  const inside = search && insideMs && found?.length === 0 ? await findInside(db, search, insideMs) : [];
  const isInside = inside.length > 0;
  const filter = isInside ? { ...asked, search: undefined } : asked;
  const conditions = [
    found ? sql`id = any(${isInside ? inside : found}::bigint[])` : indexedCondition(filter),
    matches({ since, until }),
    before ? isBefore(before) : sql`true`,
  ];
  const newestFirst = sql`order by joined_at desc, id desc`;
  const candidates = sql`from sign_ups where ${sql.join(conditions, sql` and `)} ${newestFirst}`;
  const { rows } = await sql<PagedPerson & { place: string }>`
    select ${COLUMNS}, ${PLACE} as place from (select * ${candidates} limit ${maxRead}) as sign_ups
    where ${matches(filter)} ${newestFirst} limit ${limit + 1}`.execute(db);
  const people = rows.slice(0, limit).map(({ place, ...person }) => person);
  if (rows.length > limit) return { people, next: rows[limit - 1]?.place ?? null, searchedTo: null, isInside };
  const read = await sql<{ place: string; joinedAt: Date }>`
    select ${PLACE} as place, joined_at as "joinedAt" ${candidates} offset ${maxRead - 1} limit 1`.execute(db);
  return { people, next: read.rows[0]?.place ?? null, searchedTo: read.rows[0]?.joinedAt ?? null, isInside };
}

function isBefore(place: string): RawBuilder<unknown> {
  const [microseconds, id] = place.split("-");
  return sql`(joined_at, id) < (timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond', ${id}::bigint)`;
}

function indexedCondition({ wave, answer, suppressed, unsubscribed, invited, accepted }: Filter): RawBuilder<unknown> {
  if (wave) return matches({ wave });
  if (answer) return matches({ answer });
  if (suppressed) return matches({ suppressed });
  if (unsubscribed) return sql`id in (select sign_up_id from consents where not given)`;
  // Everyone who accepted is invited, and `invited_at` has an index.
  return invited || accepted ? matches({ invited: true }) : sql`true`;
}

/** With more matches than this, scanning the list newest first fills a page faster than sorting all matches. */
const MAX_FOUND = 5000;

/**
 * The ids of everyone with the words of any of these texts; undefined if there are too many. A separate query, because
 * PostgreSQL would otherwise read the list newest first, and all of it for a rare word.
 */
async function findByWords(db: Database, texts: string[]): Promise<string[] | undefined> {
  const conditions = texts.map((search) => matches({ search }));
  const { rows } = await sql<{ id: string }>`
    select id from sign_ups where ${sql.join(conditions, sql` or `)} limit ${MAX_FOUND + 1}`.execute(db);
  return rows.length > MAX_FOUND ? undefined : rows.map(({ id }) => id);
}

/** Reads the whole list, because an index would slow down every sign-up. Returns nobody if it takes too long. */
async function findInside(db: Database, text: string, maxMs: number): Promise<string[]> {
  const anywhere = sql<{ id: string }>`
    select id from sign_ups
    where ${isListed} and strpos(lower(concat_ws(' ', email, first_name, last_name, company)), lower(${text.trim()})) > 0
    limit ${MAX_FOUND}`;
  const found = await withinTime(db, (transaction) => anywhere.execute(transaction), maxMs);
  return found?.rows.map(({ id }) => id) ?? [];
}
