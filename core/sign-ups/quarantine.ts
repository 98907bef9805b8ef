import { type Selectable, sql } from "kysely";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import type { Actor } from "#core/activity/activity.ts";
import { type Changed, changeMany, type Operation } from "#core/activity/change-many.ts";
import type { Database } from "#core/database/connect.ts";
import type { NewQuarantined, NewSignUp, PersonColumns, Tables } from "#core/database/tables.ts";
import { type Chunk, executor } from "#core/database/transaction.ts";
import { NO_NETWORK, NO_ORIGIN } from "#core/people/origin.ts";
import { columnDefinitions, derivedColumns, PERSON_COLUMNS, PERSON_TYPES } from "#core/people/person-columns.ts";
import { MAX_QUARANTINED } from "./quarantine-size.ts";
import { type Resend, writeBatch } from "./write-batch.ts";

/** `if_room`: over the client's limit, but maybe from a shared office, so stored only if it displaces nothing. */
export type Caught = NewQuarantined & { if_room?: boolean };

const CAUGHT_TYPES: Record<keyof Caught, string> = { ...PERSON_TYPES, website: "text", if_room: "boolean" };
const NAMES = PERSON_COLUMNS.join(", ");
/** Enough to tell autofill from a bot. */
const MAX_WEBSITE_LENGTH = 200;

/**
 * Stores sign-ups for operators to review, because browser autofill fills the honeypot too. An address's first entry
 * stays, so that a stranger can't overwrite it or prolong its retention. Sorted, so that two servers can't deadlock.
 */
export async function insertQuarantined(db: Database, caught: Caught[]): Promise<undefined[]> {
  // The delete doesn't see rows that the same statement inserts, so the offset leaves room for them. It locks only rows
  // that it deletes: with OFFSET in the locking query, PostgreSQL wrote 0.56 MB of locks to the WAL each time.
  await db.pool.query(
    `with caught as (
       insert into quarantine (${NAMES}, website)
       select distinct on (email_key) ${NAMES}, left(website, ${MAX_WEBSITE_LENGTH})
       from json_to_recordset($1) as caught (${columnDefinitions(CAUGHT_TYPES)})
       where if_room is not true or (select count(*) from quarantine) < ${MAX_QUARANTINED}
       order by email_key, if_room
       on conflict (email_key) do nothing
       returning id
     )
     delete from quarantine where id in (
       select id from quarantine where id <= (
         select id from quarantine order by id desc offset ${MAX_QUARANTINED} - (select count(*) from caught) limit 1
       )
       -- Skips an entry that an operator is releasing.
       for update skip locked
     )`,
    [JSON.stringify(caught)],
  );
  return caught.map(() => undefined);
}

export async function readQuarantine(db: Database, limit: number) {
  const { rows } = await sql<Selectable<Tables["quarantine"]>>`
    select id, ${sql.raw(NAMES)}, website, caught_at from quarantine order by id desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * Puts people on the list with their original date. Anyone who has joined since counts as known and isn't changed.
 * Quarantine rows stay locked until commit, so that a release can't bring back someone who is being erased. Doesn't
 * subscribe them to the newsletter, because quarantine doesn't store which wording they agreed to.
 */
export async function release(db: Database, actor: Actor, ids: string[], resend: Resend | undefined) {
  const batchOptions = { wordingVersion: NEWSLETTER_CONSENT.version, resend };
  const change = async (chunk: Chunk, entries: string[]): Promise<Changed & { people: string[] }> => {
    const chosen = sql`quarantine where id = any(${entries}::bigint[])`;
    const { rows: caught } = await sql<PersonColumns>`
      select ${sql.raw(NAMES)} from ${chosen} order by id for update`.execute(chunk);
    if (caught.length === 0) return { count: 0, people: [] };
    const outcomes = await writeBatch(executor(chunk), batchOptions, caught.map(asNewSignUp));
    const joined = caught.filter((_, index) => outcomes[index]?.kind === "joined").map(({ email_key }) => email_key);
    const { rows: released } = await sql<{ id: string }>`
      update sign_ups set joined_at = caught_at from (select email_key, caught_at from ${chosen}) as caught
      where sign_ups.email_key = caught.email_key and sign_ups.email_key = any(${joined}::text[])
      returning id`.execute(chunk);
    await sql`delete from ${chosen}`.execute(chunk);
    return { count: caught.length, people: released.map(({ id }) => id) };
  };
  let joined = 0;
  const released = await changeMany(db, { actor, action: "release" }, [ids], change, ({ people }) => {
    joined += people.length;
  });
  return { joined, known: released - joined };
}

function asNewSignUp(person: PersonColumns): NewSignUp {
  const nothingElse = { ...NO_ORIGIN, newsletter: false, idempotency_key: null, mail_network: NO_NETWORK };
  return { ...person, ...derivedColumns(person), ...nothingElse };
}

export function dropQuarantined(db: Database, actor: Actor, ids: string[]): Promise<number> {
  return deleteQuarantined(db, { actor, action: "drop" }, ids);
}

export function deleteQuarantined(db: Database, operation: Operation, ids: string[]): Promise<number> {
  return changeMany(db, operation, [ids], async (chunk, entries) => {
    const deleted = await sql`delete from quarantine where id = any(${entries}::bigint[])`.execute(chunk);
    return { count: Number(deleted.numAffectedRows) };
  });
}
