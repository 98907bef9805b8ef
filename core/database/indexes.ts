import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./connect.ts";

/**
 * Indexes of long lists, by name. They aren't migrations: those run in a transaction, where building an index would
 * lock out sign-ups for as long as it takes. Programs work without them, only slower.
 *
 * None of them costs a sign-up anything: they are partial, on what nobody has when they join.
 */
const INDEXES = {
  sign_ups_invited: "sign_ups (id) where invited_at is not null",
  sign_ups_wave: "sign_ups (wave_id, id) where wave_id is not null",
  sign_ups_rejected: "sign_ups (id) where rejected_at is not null",
  consents_withdrawn: "consents (sign_up_id) where not given",
};

/**
 * What people are searched by. An index on names took 10 to 15% more of PostgreSQL's CPU time per sign-up, so these end
 * at an id, which is part of their names: newer people are found by reading them, and the next build covers them too.
 */
const SEARCH_INDEXES = {
  sign_ups_full_name: "sign_ups (lower(first_name || ' ' || last_name) text_pattern_ops)",
  sign_ups_last_name: "sign_ups (lower(last_name) text_pattern_ops)",
  sign_ups_company: "sign_ups (lower(company) text_pattern_ops)",
  sign_ups_company_key: "sign_ups (company_key)",
  sign_ups_address: "sign_ups (email_key text_pattern_ops)",
};

/** Reading so many people takes two requests; on long lists, building again takes longer than reading more. */
const MAX_UNSEARCHED = 100_000;
const MAX_UNSEARCHED_SHARE = 0.02;

/** Builds what is missing while the service runs, and returns the names. Safe to run concurrently. */
export async function buildIndexes(db: Database, maxUnsearched?: number): Promise<string[]> {
  for (;;) {
    const built = await db.transaction().execute(async (transaction) => {
      // Tried rather than waited for: a build waits for all older transactions, and a waiting one would be older.
      const { rows } = await sql<{ isLocked: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('build indexes')) as "isLocked"`.execute(transaction);
      if (!rows[0]?.isLocked) return undefined;
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      return buildMissing(db, maxUnsearched);
    });
    if (built) return built;
    await pause(200);
  }
}

async function buildMissing(db: Database, maxUnsearched: number | undefined): Promise<string[]> {
  const existing = await readIndexes(db);
  const end = await nextEnd(db, endOf(existing), maxUnsearched);
  const wanted: Record<string, string> = { ...INDEXES, ...(end > 0 && searchIndexesUpTo(end)) };
  const isBuilt = (name: string) => existing.some((index) => index.name === name && index.isValid);
  const missing = Object.entries(wanted).filter(([name]) => !isBuilt(name));
  for (const [name, definition] of missing) {
    // An interrupted build leaves an index that is updated and never used.
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(definition)}`.execute(db);
  }
  for (const { name } of existing) {
    if (!(name in wanted)) await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
  }
  // An index on an expression has no statistics of its own until then.
  if (missing.length > 0) await sql`analyze sign_ups`.execute(db);
  return missing.map(([name]) => name);
}

/** The id up to which the list can be searched by index; 0 for none of it. */
export async function readSearchEnd(db: Database): Promise<number> {
  return endOf(await readIndexes(db));
}

interface Index {
  name: string;
  isValid: boolean;
}

async function readIndexes(db: Database): Promise<Index[]> {
  const names = Object.keys({ ...INDEXES, ...SEARCH_INDEXES }).join("|");
  const { rows } = await sql<Index>`
    select relname as name, indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and relname ~ ${`^(${names})(_to_[0-9]+)?$`}`.execute(db);
  return rows;
}

function searchIndexesUpTo(end: number): Record<string, string> {
  const entries = Object.entries(SEARCH_INDEXES);
  return Object.fromEntries(entries.map(([name, on]) => [`${name}_to_${end}`, `${on} where id <= ${end}`]));
}

/** The highest that all of them have. */
function endOf(existing: Index[]): number {
  const valid = new Set(existing.filter(({ isValid }) => isValid).map(({ name }) => name));
  const ends = [...valid].map((name) => Number(/_to_(\d+)$/.exec(name)?.[1] ?? 0));
  const isComplete = (end: number) => Object.keys(searchIndexesUpTo(end)).every((name) => valid.has(name));
  return Math.max(0, ...ends.filter(isComplete));
}

async function nextEnd(db: Database, end: number, maxUnsearched: number | undefined): Promise<number> {
  const { rows } = await sql<{ newest: string }>`select coalesce(max(id), 0) as newest from sign_ups`.execute(db);
  const newest = Number(rows[0]?.newest);
  return newest - end > (maxUnsearched ?? Math.max(MAX_UNSEARCHED, newest * MAX_UNSEARCHED_SHARE)) ? newest : end;
}
