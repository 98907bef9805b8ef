import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

/** Takes one of the minute's mails, or answers that all of them are taken: by whichever worker, the database counts. */
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
