import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { byDomain, bySpelling, byTime, COUNTED_COLUMNS, listedPeople, TIME_COLUMNS } from "./pending.ts";

/** Small enough for the servers' statement timeout on a machine that is ten times overloaded. */
const CHUNK_SIZE = 5000;
const SETTLE_POLL_MS = 20;
/** A sign-up is written in milliseconds. If another transaction takes longer, the next roll-up will do. */
const MAX_SETTLE_POLLS = 25;

/** `behind` if there may be more to add up, `busy` if another process is doing it. */
export type RollUpOutcome = "done" | "behind" | "busy";

/**
 * Adds one chunk to the rollups: changes to people who are counted, and people who have joined since. In one
 * transaction, so that a process killed in between leaves nothing half counted.
 */
export function rollUp(db: Database, chunkSize = CHUNK_SIZE): Promise<RollUpOutcome> {
  return db.transaction().execute(async (transaction) => {
    const position = await readPosition(transaction, sql`for update skip locked`);
    if (!position) return "busy";
    const { from, newest, changes: waiting } = position;
    if (from === newest && waiting === 0) return "done";
    const limit = BigInt(from) + BigInt(chunkSize);
    const next = String(limit < BigInt(newest) ? limit : newest);
    const isSettled = from === next || (await settle(transaction));
    const upTo = isSettled ? next : from;
    const changes = await addUp(transaction, from, upTo, chunkSize);
    return changes === chunkSize || upTo !== newest ? "behind" : "done";
  });
}

interface Position {
  /** Everyone up to this id is counted. */
  from: string;
  newest: string;
  /** Changes that wait to be added up; counting stops at a chunk. */
  changes: number;
}

export async function readPosition(db: Kysely<Tables>, lock = sql``): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    select
      up_to as from,
      greatest(up_to, (select max(id) from sign_ups)) as newest,
      (select count(*) from (select from rollup_changes limit ${CHUNK_SIZE}) as waiting)::integer as changes
    from rollup_state ${lock}`.execute(db);
  return rows[0];
}

/** The transactions that may be adding people. By database too, because one cloned from it has the same table ids. */
const WRITERS = sql`
  select virtualtransaction from pg_locks
  where relation = 'sign_ups'::regclass and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Waits until nobody can join with an id that has been given out already: ids are given out in order, but committed in
 * any. A transaction that has one holds a lock on the table until it ends. Transaction ids would not do, because a
 * transaction may get its own after the row's.
 */
async function settle(transaction: Kysely<Tables>): Promise<boolean> {
  const readWriters = async () =>
    (await sql<{ virtualtransaction: string }>`${WRITERS}`.execute(transaction)).rows.map(
      (row) => row.virtualtransaction,
    );
  let writers = await readWriters();
  for (let poll = 0; writers.length > 0; poll += 1) {
    if (poll === MAX_SETTLE_POLLS) return false;
    await pause(SETTLE_POLL_MS);
    const running = new Set(await readWriters());
    writers = writers.filter((writer) => running.has(writer));
  }
  return true;
}

/**
 * One statement, so one snapshot: it counts new people as they are, and so drops the changes to them that it can see.
 * Returns how many changes to people who were counted before it added up.
 */
async function addUp(transaction: Kysely<Tables>, from: string, upTo: string, chunkSize: number): Promise<number> {
  const people = sql`select ${COUNTED_COLUMNS} from people`;
  const { rows } = await sql<{ changes: number }>`
    with dropped as (
      delete from rollup_changes where sign_up_id > ${from}
    ), changed as (
      delete from rollup_changes
      where ctid = any(array(select ctid from rollup_changes where sign_up_id <= ${from} limit ${chunkSize}))
      returning ${COUNTED_COLUMNS}
    ), people as materialized (
      select ${COUNTED_COLUMNS} from changed union all ${listedPeople(from, upTo)}
    ), times as (
      insert into sign_ups_by_time as kept (${TIME_COLUMNS}) ${byTime(people)}
      on conflict (span, starts_at, source, medium, campaign) do update set
        joined = kept.joined + excluded.joined,
        confirmed = kept.confirmed + excluded.confirmed,
        invited = kept.invited + excluded.invited,
        newsletter = kept.newsletter + excluded.newsletter,
        rejected = kept.rejected + excluded.rejected
    ), domains as (
      insert into mail_domains as kept (domain, people) ${byDomain(people)} having sum(weight) <> 0
      on conflict (domain) do update set people = kept.people + excluded.people
    ), spellings as (
      insert into company_names as kept (key, company, people) ${bySpelling(people)} having sum(weight) <> 0
      on conflict (key, company) do update set people = kept.people + excluded.people
    ), state as (
      update rollup_state set up_to = ${upTo}, rolled_up_at = now()
    )
    select count(*)::integer as changes from changed`.execute(transaction);
  // Nothing about someone who was erased stays behind. All counts must be zero: a chunk may end between the two rows of
  // a change, and then only some of them are.
  await sql`
    delete from sign_ups_by_time
    where joined = 0 and (confirmed, invited, newsletter, rejected) = (0, 0, 0, 0)`.execute(transaction);
  await sql`delete from mail_domains where people = 0`.execute(transaction);
  await sql`delete from company_names where people = 0`.execute(transaction);
  return rows[0]?.changes ?? 0;
}
