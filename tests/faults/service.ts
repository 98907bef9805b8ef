import { type RunningServer, startServer } from "#dev/running-site.ts";
import { type ScratchPostgres, startScratchPostgres } from "#dev/scratch-postgres.ts";
import { connect } from "#server/database/connect.ts";
import { migrateDatabase } from "#server/database/migrate.ts";
import { type Audit, audit } from "./audit.ts";
import { type Crowd, startCrowd } from "./ledger.ts";

export interface Service {
  postgres: ScratchPostgres;
  servers: RunningServer[];
  crowd: Crowd;
}

export interface ServiceOptions {
  /** PostgreSQL's, each "name=value". */
  settings?: string[];
  env?: Record<string, string>;
}

/** Two instances on one PostgreSQL and a crowd that signs up: does to them what the drill does, then looks what is left. */
export async function underLoad(
  { settings = [], env = {} }: ServiceOptions,
  drill: (service: Service) => Promise<void>,
): Promise<Audit & { crowd: Crowd["ledger"] }> {
  const postgres = await startScratchPostgres({ settings });
  await migrateDatabase(postgres.url);
  const config = { DATABASE_URL: postgres.url, LIMIT_PER_CLIENT: "1000000000", ...env };
  const servers = await Promise.all([startServer(config), startServer(config)]);
  const crowd = startCrowd(servers.map(({ origin }) => origin));
  try {
    await drill({ postgres, servers, crowd });
    const ledger = await crowd.stop();
    const db = connect(postgres.url);
    const found = await audit(db, ledger.acknowledged).finally(() => db.destroy());
    return { ...found, crowd: ledger };
  } finally {
    await crowd.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await postgres.stop();
  }
}

/** Waits until the crowd is told "you're in" again, and answers how long that took. */
export async function untilTaken({ ledger }: Crowd): Promise<number> {
  const began = performance.now();
  const before = ledger.acknowledged.size;
  while (ledger.acknowledged.size === before) {
    if (performance.now() - began > 60_000) throw new Error("No sign-up was taken for a minute");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - began;
}
