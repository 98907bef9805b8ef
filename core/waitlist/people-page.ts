import { type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type Filter, matches } from "./filter.ts";
import { idsWhenJoined } from "./ids-by-date.ts";
import { findByIndex } from "./search.ts";

interface PagedPerson {
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
  /** Where to go on reading; null at the end of the list. */
  next: string | null;
  /** When the last person that was read joined, if the page isn't full although the list goes on. */
  searchedTo: Date | null;
}

interface PageRequest {
  /** The previous page ended with this id. */
  before?: string | undefined;
  /** Nobody older than this id. */
  last?: string | undefined;
  limit: number;
  /** How many rows a request may read: a tenth of a second's worth. */
  maxRead?: number;
}

const ROW = sql.raw(`
  id, email, first_name as "firstName", last_name as "lastName", company, newsletter, joined_at as "joinedAt",
  confirmed_at as "confirmedAt", invited_at as "invitedAt", rejected_at as "rejectedAt", utm ->> 'source' as source`);

/** Those of ROW, and those that filters look at. */
const COLUMNS = sql.raw(`
  id, email_key, email, first_name, last_name, company, company_key, newsletter, joined_at, confirmed_at, invited_at,
  wave_id, rejected_at, utm`);

/** How many of the people that an index found are read at a time. */
const CHUNK_SIZE = 1000;

/**
 * One page of the list, newest first. By id rather than by offset, so that a page costs the same anywhere in the list.
 * Filters without an index are applied to `maxRead` rows at a time, because each sign-up would pay for an index
 * (decision 37): a page may then be short, and `next` says where to go on.
 */
export async function readPeoplePage(db: Database, filter: Filter, request: PageRequest): Promise<PeoplePage> {
  const { before, last = "1", limit } = request;
  const found = await findByIndex(db, filter);
  if (!found) return filter.unsubscribed ? readUnsubscribed(db, filter, request) : scan(db, filter, request);
  // Nobody who joined since the index was built is in it.
  const newer = await scan(db, filter, { ...request, last: String(Math.max(Number(last), found.end + 1)) });
  if (newer.next) return newer;
  if (newer.people.length === limit) return { ...newer, next: newer.people.at(-1)?.id ?? null };
  const ids = found.ids.filter((id) => !before || Number(id) < Number(before));
  const older = await readIds(db, filter, ids, { ...request, limit: limit - newer.people.length });
  return { ...older, people: [...newer.people, ...older.people] };
}

/** Reads the list itself, or an index that has its people in order. */
async function scan(
  db: Database,
  filter: Filter,
  { before, last, limit, maxRead = 50_000 }: PageRequest,
): Promise<PeoplePage> {
  const conditions = [
    orderedCondition(filter),
    before && sql`id < ${before}`,
    last && sql`id >= ${last}`,
    ...(await idsWhenJoined(db, filter)),
    sql`true`,
  ].filter((condition) => condition !== undefined && condition !== "");
  const candidates = sql`from sign_ups where ${sql.join(conditions, sql` and `)} order by id desc`;
  const { rows } = await sql<PagedPerson>`
    select ${ROW} from (select ${COLUMNS} ${candidates} limit ${maxRead}) as sign_ups
    where ${matches(filter)} order by id desc limit ${limit + 1}`.execute(db);
  const people = rows.slice(0, limit);
  if (rows.length > limit) return { people, next: people.at(-1)?.id ?? null, searchedTo: null };
  const read = await sql<{ id: string; joinedAt: Date }>`
    select id, joined_at as "joinedAt" ${candidates} offset ${maxRead - 1} limit 1`.execute(db);
  return { people, next: read.rows[0]?.id ?? null, searchedTo: read.rows[0]?.joinedAt ?? null };
}

/** A condition whose index has people in the order of their ids. */
function orderedCondition({ wave, rejected, invited }: Filter): RawBuilder<unknown> | undefined {
  if (wave) return sql`wave_id = ${wave}`;
  if (rejected) return sql`rejected_at is not null`;
  if (invited) return sql`invited_at is not null`;
  return undefined;
}

async function readUnsubscribed(db: Database, filter: Filter, request: PageRequest): Promise<PeoplePage> {
  const { rows } = await sql<{ id: string }>`
    select distinct sign_up_id as id from consents
    where not given and ${request.before ? sql`sign_up_id < ${request.before}` : sql`true`}
    order by 1 desc limit ${CHUNK_SIZE + 1}`.execute(db);
  const ids = rows.map(({ id }) => id);
  return readIds(db, filter, ids, request);
}

/** `ids` are those that may match, newest first. */
async function readIds(db: Database, filter: Filter, ids: string[], { last, limit }: PageRequest): Promise<PeoplePage> {
  const chunk = ids.slice(0, CHUNK_SIZE);
  const { rows } = await sql<PagedPerson>`
    select ${ROW} from sign_ups
    where id = any(${chunk}::bigint[]) and ${last ? sql`id >= ${last}` : sql`true`} and ${matches(filter)}
    order by id desc limit ${limit + 1}`.execute(db);
  const people = rows.slice(0, limit);
  if (rows.length > limit) return { people, next: people.at(-1)?.id ?? null, searchedTo: null };
  const next = ids.length > chunk.length ? (chunk.at(-1) ?? null) : null;
  return { people, next, searchedTo: null };
}
