import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { runPrepared } from "#core/database/prepared.ts";

/** A fifth is kept for confirmations: people are waiting for them. */
export function bulkShare(perMinute: number): number {
  return Math.max(1, Math.floor((perMinute * 4) / 5));
}

/** Takes a slot in this minute's rate limit, or returns false. The database counts for all workers together. */
export async function takeSendSlot(db: Database, perMinute: number, isConfirmation: boolean): Promise<boolean> {
  const bulk = isConfirmation ? 0 : 1;
  const statement = sql<{ mails: number }>`
    insert into mail_minutes as this (minute, mails, bulk) values (date_trunc('minute', now()), 1, ${bulk})
    on conflict (minute) do update set mails = this.mails + 1, bulk = this.bulk + excluded.bulk
    where this.mails < ${perMinute} and this.bulk + excluded.bulk <= greatest(this.bulk, ${bulkShare(perMinute)})
    returning mails`;
  const rows = await runPrepared(db, "take-send-slot", statement);
  if (rows[0]?.mails === 1) {
    await sql`delete from mail_minutes where minute < now() - interval '1 hour'`.execute(db);
  }
  return rows.length > 0;
}
