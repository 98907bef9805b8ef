import { type Kysely, sql } from "kysely";

/**
 * Gives ids to the waves that version 1.0.0 invited. Apart from 0005-waves, whose new column locks out sign-ups: with a
 * million people this takes longer than a sign-up waits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into waves (invited_at)
    select distinct invited_at from sign_ups where invited_at is not null and wave_id is null order by 1`.execute(db);
  await sql`
    update sign_ups set wave_id = waves.id from waves
    where sign_ups.invited_at = waves.invited_at and wave_id is null`.execute(db);
}
