import type { Database } from "#core/database/connect.ts";
import { MAX_IN_FLIGHT } from "#worker/start.ts";
import type { Arrival } from "./faulty-smtp.ts";

export interface Audit {
  /** People who should have got their mail and didn't. */
  lost: number;
  /** Mails that someone got again. */
  copies: number;
  /** As many as a worker has in flight, for each kill. */
  copiesAllowed: number;
  /** Mails to people who had left or unsubscribed. A mail that was claimed before that was on its way. */
  sentAfterLeaving: number;
  kills: number;
}

/** Records when each mail is claimed, because the deliveries of people who leave are deleted with them. */
export async function recordClaims(db: Database): Promise<void> {
  await db.pool.query(`
    create table claims (message_id bigint not null, sign_up_id bigint not null, claimed_at timestamptz not null);
    create function record_claim() returns trigger language plpgsql as $$
      begin
        insert into claims values (new.message_id, new.sign_up_id, now());
        return null;
      end $$;
    create trigger record_claim after update of tried_at on deliveries
      for each row when (new.tried_at is distinct from old.tried_at) execute function record_claim()`);
}

/** Someone who left or unsubscribed, and when that was committed. */
export interface Leaver {
  id: string;
  email: string;
  leftAt: Date;
}

export async function countMails(
  db: Database,
  { arrivals, expected, leavers, kills }: { arrivals: Arrival[]; expected: string[]; leavers: Leaver[]; kills: number },
): Promise<Audit> {
  const arrived = new Map<string, number>();
  for (const { to } of arrivals) arrived.set(to, (arrived.get(to) ?? 0) + 1);
  const mayMiss = new Set(leavers.map(({ email }) => email));
  let sentAfterLeaving = 0;
  for (const { id, email, leftAt } of leavers) {
    const { rows } = await db.pool.query(
      "select count(*)::integer as claims, count(*) filter (where claimed_at > $2)::integer as late from claims where sign_up_id = $1",
      [id, leftAt],
    );
    const [{ claims, late }] = rows;
    sentAfterLeaving += late + Math.max(0, (arrived.get(email) ?? 0) - claims);
  }
  return {
    lost: expected.filter((email) => !arrived.has(email) && !mayMiss.has(email)).length,
    copies: arrivals.length - arrived.size,
    copiesAllowed: kills * MAX_IN_FLIGHT,
    sentAfterLeaving,
    kills,
  };
}

/** How many mails of messages to many were claimed in this period. */
export async function claimedBetween(db: Database, from: Date, to: Date): Promise<number> {
  const { rows } = await db.pool.query(
    "select count(*)::integer as claims from claims where message_id > 2 and claimed_at > $1 and claimed_at < $2",
    [from, to],
  );
  return rows[0].claims;
}

/** By the clock of the database, which also dates the claims. */
export async function databaseTime(db: Database): Promise<Date> {
  return (await db.pool.query("select clock_timestamp() as now")).rows[0].now;
}
