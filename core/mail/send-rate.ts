import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

/** Takes a slot in this minute's rate limit, or returns false. The database counts for all workers together. */
export async function takeSendSlot(db: Database, perMinute: number): Promise<boolean> {
  const { rows } = await sql<{ mails: number }>`
    insert into mail_minutes as this (minute, mails) values (date_trunc('minute', now()), 1)
    on conflict (minute) do update set mails = this.mails + 1 where this.mails < ${perMinute}
    returning mails`.execute(db);
  if (rows[0]?.mails === 1) {
    await sql`delete from mail_minutes where minute < now() - interval '1 hour'`.execute(db);
  }
  return rows.length > 0;
}
