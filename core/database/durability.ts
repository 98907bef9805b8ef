import { type Kysely, sql } from "kysely";
import type { ClientBase, Pool } from "pg";
import { PooledConnection, UnsafeRole } from "./faults.ts";
import type { Tables } from "./tables.ts";

export const DURABILITY_SETTINGS = ["fsync", "synchronous_commit"] as const;
export type DurabilitySetting = (typeof DURABILITY_SETTINGS)[number];

const IS_UNSAFE = "setting not in ('on', 'remote_apply')";

/** The settings that let PostgreSQL acknowledge a commit before it is on disk. */
export async function unsafeSettings(db: Kysely<Tables>): Promise<DurabilitySetting[]> {
  const { rows } = await sql<{ name: DurabilitySetting }>`
    select name from pg_settings
    where name in (${sql.join(DURABILITY_SETTINGS)}) and ${sql.raw(IS_UNSAFE)}`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Checks each new connection. Throws for a role that has turned off synchronous_commit, and for a pooler, which loses
 * our timeouts and, in transaction mode, mixes up sessions.
 */
export async function requireSafeSession(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select name from pg_settings
    where name = 'synchronous_commit' and ${IS_UNSAFE} and source in ('user', 'database user')
      or name = 'idle_in_transaction_session_timeout' and source <> 'client'`);
  if (rows.some(({ name }) => name !== "synchronous_commit")) throw new PooledConnection();
  if (rows.length > 0) throw new UnsafeRole();
  // A role's settings can hide warnings, and only a warning tells us that a commit stopped waiting for its standby. JIT
  // compilation takes up to 0.3 s, or a second per scan on a busy machine, and makes none of our statements faster.
  await client.query("set client_min_messages = warning; set jit = off");
}

/**
 * Writes a few bytes to the WAL, so that a read-only statement's commit also waits for synchronous standbys.
 * Otherwise, the statement could report a row as stored before any standby has it.
 */
export const DURABLE = "pg_logical_emit_message(true, 'waitlist', '')";

/** Makes the commit wait until everything that the transaction has read is durable. */
export async function makeDurable(db: Kysely<Tables>): Promise<void> {
  await sql`select ${sql.raw(DURABLE)}`.execute(db);
}

/**
 * Skips the write if one of our commits has waited over a second for a standby, because a new write would wait too.
 * So only the first probe gets stuck and holds a connection.
 */
const PROBE = `
  select case
    when current_setting('transaction_read_only') = 'on' then false
    when exists (
      select from pg_stat_activity
      where usename = current_user and wait_event = 'SyncRep' and query_start < now() - interval '1 second'
    ) then false
    else ${DURABLE} is not null
  end as durable`;

/** Whether a write would be durable now. Throws if the database can't be reached or a standby doesn't confirm. */
export async function isDurable(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  let durable = false;
  try {
    durable = (await client.query<{ durable: boolean }>(PROBE)).rows[0]?.durable ?? false;
    return durable;
  } finally {
    // After a failover, an open connection may stay on a standby forever, so close it; a new one finds the primary.
    client.release(!durable);
  }
}
