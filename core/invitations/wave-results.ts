import { sql } from "kysely";
import type { Keys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { invitationId } from "#core/links/invitation-tokens.ts";
import { countIn, isIn, isListed } from "#core/people/states.ts";

export interface WaveResults {
  id: string;
  invitedAt: Date;
  invited: number;
  /** People whose invitation was taken back, and who haven't been invited again. */
  takenBack: number;
  accepted: number;
  /** The first message that emails the wave; null if its people were invited without email. */
  messageId: string | null;
  /** How many of the wave's emails the mail server accepted. */
  mailed: number;
}

/** Newest first. Scans everyone who is in a wave. */
export async function readWaveResults(db: Database, limit: number): Promise<WaveResults[]> {
  const { rows } = await sql<WaveResults>`
    select waves.id, invited_at as "invitedAt", invited, people - invited as "takenBack", accepted,
      (select min(id) from messages where wave_id = waves.id) as "messageId",
      coalesce((
        select sum(deliveries) from delivery_counts join messages on messages.id = message_id
        where wave_id = waves.id and delivery_counts.state in ('sent', 'complained')
      ), 0)::integer as mailed
    from waves join (
      select wave_id, count(*)::integer as people, ${countIn("invited")} as invited,
        ${countIn("accepted")} as accepted
      from sign_ups where wave_id is not null and ${isListed} group by 1
    ) as counted on wave_id = waves.id
    order by invited_at desc, waves.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The ids (jti) of a wave's invitations that were taken back, for the product to refuse. Includes people set aside. */
export async function readTakenBack(db: Database, keys: Keys, wave: string): Promise<string[]> {
  const { rows } = await sql<{ emailKey: string }>`
    select email_key as "emailKey" from sign_ups where wave_id = ${wave} and ${isIn("invited", false)}
    order by id`.execute(db);
  return rows.map(({ emailKey }) => invitationId(keys, wave, emailKey));
}
