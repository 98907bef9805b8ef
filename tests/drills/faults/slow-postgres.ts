import { type Line, startLine, through } from "#tests/support/line.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

export interface SlowPostgres extends Postgres {
  line: Line;
}

/** A PostgreSQL at the end of a line on which each answer takes a while. */
export async function startSlowPostgres(delayMs = 0): Promise<SlowPostgres> {
  const postgres = await startScratchPostgres();
  const line = await startLine(Number(new URL(postgres.url).port));
  line.delayMs = delayMs;
  return { url: through(line, postgres.url), line, stop: () => line.stop().then(postgres.stop) };
}
