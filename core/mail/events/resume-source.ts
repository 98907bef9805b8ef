import { type RawBuilder, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import { changeMany } from "#core/activity/change-many.ts";
import type { Database } from "#core/database/connect.ts";
import type { Chunk } from "#core/database/transaction.ts";

/**
 * Accepts a source's events again. First undoes its bounces and complaints from `since` on: the addresses get mail
 * again, and the consent ledger loses the withdrawals that nobody made. Returns how many reports it undid.
 */
export async function resumeSource(db: Database, actor: Actor, source: string, since: Date | null): Promise<number> {
  const isUndone = sql`
    greatest(reported_at, soft_bounced_at, unsubscribed_at) >= ${since} and reported_at >= ${since}
    and reported_by = ${source} and state in ('bounced', 'complained')`;
  const { rows } = await sql<{ id: string }>`
    select distinct sign_up_id as id from deliveries where ${isUndone} order by 1`.execute(db);
  const people = rows.map(({ id }) => id);
  const undone = await changeMany(db, { actor, action: "resume events" }, [people], async (chunk, ids) => {
    // CASE keeps PostgreSQL from reading all reports for each chunk, by the index of their times.
    const isChosen = sql`sign_up_id = any(${ids}::bigint[]) and case when ${isUndone} then true else false end`;
    return { count: await undoReports(chunk, isChosen) };
  });
  await db.transaction().execute(async (transaction) => {
    await sql`delete from mail_sources where source = ${source}`.execute(transaction);
    if (undone === 0) await recordActivity(transaction, actor, { action: "resume events" });
  });
  return undone;
}

async function undoReports(chunk: Chunk, isChosen: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql`
    with undone as (
      update deliveries set state = 'sent' where ${isChosen} returning sign_up_id, tried_at, reported_at
    ), withdrawn as (
      -- What the complaint wrote: the first entry since. Joins the state before the update above.
      delete from consents using (
        select sign_up_id, min(at) as at from consents join undone using (sign_up_id)
        join deliveries using (sign_up_id, reported_at)
        where state = 'complained' and not given and at between reported_at and reported_at + interval '1 minute'
        group by 1
      ) as first
      where consents.sign_up_id = first.sign_up_id and consents.at = first.at and not given
      returning consents.sign_up_id, consents.at
    ), accepted as (
      update sign_ups set newsletter = coalesce((
          select given from withdrawn join consents using (sign_up_id)
          where sign_up_id = id and consents.at <> withdrawn.at order by consents.at desc limit 1
        ), newsletter),
        suppressed_at = case when not exists (
          select from undone where sign_up_id = id and suppressed_at in (tried_at, reported_at)
        ) then suppressed_at end
      where id in (select sign_up_id from undone)
    )
    select from undone`.execute(chunk);
  return rows.length;
}
