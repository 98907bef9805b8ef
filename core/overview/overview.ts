import { type Kysely, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { withinTime } from "#core/database/transaction.ts";
import { countIn, isListed } from "#core/people/states.ts";
import { readTotals } from "#core/people/totals.ts";
import type { AnswerCounts } from "./answers.ts";
import type { RangeCounts, StateCounts } from "./count.ts";
import type { Range } from "./ranges.ts";
import { COUNTS, type Figure, type Figures, readStoredFigures, storeFigures } from "./stored-figures.ts";

/** A screen must show data within 300 ms: counting may take 250, and everything else 50. */
const MAX_LIVE_MS = 250;
/** A shorter list is always counted live, even if the machine is briefly busy. */
const LONG_LIST = 100_000;

export interface Overview {
  madeAt: Date;
  /** The next four figures are always current. */
  people: number;
  companies: number;
  quarantined: number;
  /** When the latest wave started. Skips waves with fewer than two people who are still invited. */
  lastWaveAt: Date | null;
  /** Counts everyone on the list. Null, like `range` and `answers`, until a long list has been counted for the first time. */
  states: StateCounts | null;
  range: RangeCounts | null;
  answers: AnswerCounts[] | null;
  /** When `states`, `range` and `answers` were counted; null for just now. */
  countedAt: Date | null;
}

/**
 * Counts the list on every read while that is fast. For a longer list, returns the stored figures and recounts in the
 * background.
 */
export function createOverview(db: Database, { maxLiveMs = MAX_LIVE_MS, longList = LONG_LIST } = {}) {
  let recounting: { done: Promise<void>; cancel: AbortController } | undefined;

  function recount(): void {
    if (recounting) return;
    const cancel = new AbortController();
    const done = storeFigures(db, maxLiveMs, cancel.signal)
      // Errors are ignored, because the next read tries again, and the screen shows how old its figures are.
      .catch(() => {})
      .finally(() => {
        recounting = undefined;
      });
    recounting = { done, cancel };
  }

  async function read(range: Range): Promise<Overview> {
    const { totalUsers, companiesInterested } = await readTotals(db.pool);
    const isLong = totalUsers >= longList;
    const stored = isLong ? await readStoredFigures(db) : undefined;
    let countedAt: Date | null = null;
    async function readFigure<Name extends Figure>(name: Name): Promise<Figures[Name] | null> {
      const isFast = stored ? stored.tookMs[name] <= maxLiveMs : !isLong || !recounting;
      const count = (transaction: Kysely<Tables>) => COUNTS[name](transaction, 1);
      const live = isFast ? await withinTime(db, count, isLong ? maxLiveMs : 0) : undefined;
      if (live) return live;
      countedAt = stored?.countedAt ?? null;
      if (!stored || stored.isDue) recount();
      return stored?.figures[name] ?? null;
    }
    const [now, states, counts, answers] = await Promise.all([
      readNow(db),
      readFigure("states"),
      readFigure(range),
      readFigure("answers"),
    ]);
    return { ...now, people: totalUsers, companies: companiesInterested, states, range: counts, answers, countedAt };
  }

  return {
    read,
    async stop() {
      recounting?.cancel.abort();
      await recounting?.done;
    },
  };
}

export async function readNow(db: Database) {
  return onlyRow(
    await sql<Pick<Overview, "madeAt" | "quarantined" | "lastWaveAt">>`
      select now() as "madeAt", count(*)::integer as quarantined,
        (select invited_at from waves where (
          -- Its first people are enough, because someone who opens the overview waits for this.
          select ${countIn("invited")} from (
            select invited_at from sign_ups where wave_id = waves.id and ${isListed} order by joined_at, id limit 1000
          ) as people
        ) > 1 order by invited_at desc limit 1) as "lastWaveAt"
      from quarantine`.execute(db),
  );
}
