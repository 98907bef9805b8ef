import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { type AnswerCounts, countAnswers } from "./answers.ts";
import { countRange, countStates, type RangeCounts, type StateCounts } from "./count.ts";
import type { Range } from "./ranges.ts";

/** The figures, each counted separately: states and answers of the whole list, and people who joined in a range. */
export interface Figures extends Record<Range, RangeCounts> {
  states: StateCounts;
  answers: AnswerCounts[];
}

export type Figure = keyof Figures;

type Count<Name extends Figure> = (db: Kysely<Tables>, minPeople: number) => Promise<Figures[Name]>;

export const COUNTS: { [Name in Figure]: Count<Name> } = {
  states: countStates,
  answers: countAnswers,
  "24h": (db, minPeople) => countRange(db, "24h", minPeople),
  "7d": (db, minPeople) => countRange(db, "7d", minPeople),
  "30d": (db, minPeople) => countRange(db, "30d", minPeople),
  all: (db, minPeople) => countRange(db, "all", minPeople),
};

/** Counting runs at most a twentieth of the time, so that it doesn't slow down sign-ups. */
const PAUSE_FACTOR = 20;
/** Names shared by fewer than three people aren't stored, so that only numbers remain of an erased person. */
const MIN_SHARED = 3;

interface StoredFigures {
  countedAt: Date;
  figures: Figures;
  tookMs: Record<Figure, number>;
  /** Whether the figures are old, or an operator has changed something since. */
  isDue: boolean;
}

export async function readStoredFigures(db: Database): Promise<StoredFigures | undefined> {
  const { rows } = await sql<StoredFigures>`
    select
      counted_at as "countedAt",
      figures,
      took_ms as "tookMs",
      counted_at + ${PAUSE_FACTOR} * (select sum(value::integer) from jsonb_each(took_ms)) * interval '1 ms' < now()
        or last_activity < (select coalesce(max(id), 0) from activity) as "isDue"
    from overview_figures`.execute(db);
  return rows[0];
}

/** Counts on its own connection, unless another process is already counting. Aborting cancels the query. */
export async function storeFigures(db: Database, maxLiveMs: number, signal: AbortSignal): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ isFree: boolean; pid: number; lastActivity: string }>`
      select
        pg_try_advisory_xact_lock(hashtext('store figures')) as "isFree",
        pg_backend_pid() as pid,
        coalesce((select max(id) from activity), 0) as "lastActivity"`.execute(transaction);
    const [connection] = rows;
    if (!connection?.isFree) return;
    const cancel = () => sql`select pg_cancel_backend(${connection.pid})`.execute(db).catch(() => {});
    signal.addEventListener("abort", cancel);
    const figures: Partial<Record<Figure, object>> = {};
    const tookMs: Partial<Record<Figure, number>> = {};
    for (const [name, count] of Object.entries(COUNTS) as [Figure, Count<Figure>][]) {
      const startedAt = performance.now();
      figures[name] = await count(transaction, MIN_SHARED);
      tookMs[name] = Math.round(performance.now() - startedAt);
    }
    await sql`delete from overview_figures`.execute(transaction);
    if (Object.values(tookMs).every((ms) => ms <= maxLiveMs)) return;
    await sql`
      insert into overview_figures (counted_at, last_activity, figures, took_ms)
      values (now(), ${connection.lastActivity}, ${JSON.stringify(figures)}, ${JSON.stringify(tookMs)})`.execute(
      transaction,
    );
  });
}
