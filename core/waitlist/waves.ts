import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type Filter, matches } from "./filter.ts";

export interface Wave {
  /** Everyone in it has this moment, and nobody else. */
  invitedAt: Date;
  invited: number;
}

/** Few enough to be marked in a moment: whoever signs up again with an address of theirs waits for that long. */
const AT_ONCE = 1000;

/**
 * Marks the next people that match, in the order in which they joined. Nobody is in two waves, also when two are made at
 * once: the second passes over those whom the first holds. Stopped in between, it has made a smaller wave.
 */
export async function inviteNext(
  db: Database,
  filter: Filter,
  most: number,
  onInvited: (people: number) => void = () => {},
): Promise<Wave> {
  const invitedAt = await momentOfItsOwn(db);
  let invited = 0;
  for (;;) {
    const marked = await markSome(db, filter, Math.min(AT_ONCE, most - invited), invitedAt);
    invited += marked;
    onInvited(marked);
    if (marked === 0 || invited === most) return { invitedAt, invited };
  }
}

/** The lock that whoever wants a moment waits for. Any number would do. */
const MOMENTS = 20_261_115;

/**
 * To the millisecond, which is what a person can copy and JavaScript can hold. One after the other, and each looks at
 * the clock a millisecond after its turn has come, so that no two waves have the same.
 */
async function momentOfItsOwn(db: Database): Promise<Date> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${MOMENTS})`.execute(transaction);
    const { rows } = await sql<{ moment: Date }>`
      select date_trunc('milliseconds', clock_timestamp()) as moment from pg_sleep(0.001)`.execute(transaction);
    return (rows[0] as { moment: Date }).moment;
  });
}

/** In two statements: choosing and marking in one may choose anew when a row has changed meanwhile. */
async function markSome(db: Database, filter: Filter, most: number, invitedAt: Date): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const chosen = await sql<{ id: string }>`
      select id from sign_ups where ${matches({ ...filter, invited: false })}
      order by id limit ${most} for update skip locked`.execute(transaction);
    const ids = chosen.rows.map(({ id }) => id);
    await sql`update sign_ups set invited_at = ${invitedAt} where id = any(${ids}::bigint[])`.execute(transaction);
    return ids.length;
  });
}

interface WavePreview {
  total: number;
  /** The first of them. */
  people: { email: string; company: string | null; joinedAt: Date }[];
}

/** Whom `inviteNext` would invite. */
export async function previewWave(db: Database, filter: Filter, limit: number, shown: number): Promise<WavePreview> {
  const { rows } = await sql<WavePreview["people"][number] & { total: number }>`
    select email, company, joined_at as "joinedAt", count(*) over ()::integer as total
    from (
      select id, email, company, joined_at from sign_ups
      where ${matches({ ...filter, invited: false })} order by id limit ${limit}
    ) as chosen
    order by id limit ${shown}`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    people: rows.map(({ email, company, joinedAt }) => ({ email, company, joinedAt })),
  };
}

/** The newest first. */
export async function listWaves(db: Database, limit: number): Promise<{ invitedAt: Date; people: number }[]> {
  const { rows } = await sql<{ invitedAt: Date; people: number }>`
    select invited_at as "invitedAt", count(*)::integer as people from sign_ups
    where invited_at is not null group by 1 order by 1 desc limit ${limit}`.execute(db);
  return rows;
}
