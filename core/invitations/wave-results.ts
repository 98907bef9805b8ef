import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

export interface WaveResults {
  id: string;
  invitedAt: Date;
  invited: number;
  /** How many of them have confirmed their address. */
  confirmed: number;
  /** The message that emails them; null if the wave was only marked as invited. */
  messageId: string | null;
  /** How many of its emails the mail server accepted. */
  mailed: number;
}

/** Newest first. Scans everyone who is invited. */
export async function readWaveResults(db: Database, limit: number): Promise<WaveResults[]> {
  const { rows } = await sql<WaveResults>`
    select wave.id, wave."invitedAt", wave.invited, wave.confirmed, message.id as "messageId",
      coalesce(
        (select sum(deliveries) from delivery_counts where message_id = message.id and state = 'sent'), 0
      )::integer as mailed
    from (
      select wave_id as id, invited_at as "invitedAt", count(*)::integer as invited,
        count(confirmed_at)::integer as confirmed
      from sign_ups where invited_at is not null group by 1, 2 order by 2 desc, 1 desc limit ${limit}
    ) as wave
    left join lateral (
      select id from messages where wave_id = wave.id order by id limit 1
    ) as message on true
    order by wave."invitedAt" desc, wave.id desc`.execute(db);
  return rows;
}
