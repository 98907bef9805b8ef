import { type FaultyProxy, startFaultyProxy, throughProxy } from "#tests/support/faulty-proxy.ts";
import { type Postgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

export interface SlowPostgres extends Postgres {
  proxy: FaultyProxy;
}

/** A PostgreSQL behind a proxy that delays its responses. */
export async function startSlowPostgres(delayMs = 0): Promise<SlowPostgres> {
  const postgres = await startScratchPostgres();
  const proxy = await startFaultyProxy(Number(new URL(postgres.url).port));
  proxy.delayMs = delayMs;
  return { url: throughProxy(proxy, postgres.url), proxy, stop: () => proxy.stop().then(postgres.stop) };
}
