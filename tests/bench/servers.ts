import { connect, type Database } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { type RunningServer, startProgram, startServer } from "#tools/dev/running-site.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

/** As docs/scale.md recommends: memory for the indexes, and infrequent checkpoints. fsync stays on. */
export const POSTGRES_SETTINGS = ["shared_buffers=2GB", "max_wal_size=16GB", "checkpoint_timeout=30min"];

/** Rate limiting stays on, with limits that the benchmark never reaches. */
export const HIGH_LIMITS = { LIMIT_PER_CLIENT: "1000000000", LIMIT_PER_ADDRESS: "1000000000" };

export interface Service {
  postgres: ScratchPostgres;
  db: Database;
  ports: number[];
  pids: number[];
  stop(): Promise<void>;
}

/** Two instances of the production server on one PostgreSQL. */
export async function startService(): Promise<Service> {
  const postgres = await startScratchPostgres({ settings: POSTGRES_SETTINGS });
  const db = connect(postgres.url);
  await migrateAll(db);
  const env = { DATABASE_URL: postgres.url, ...HIGH_LIMITS };
  const servers: RunningServer[] = await Promise.all([startServer(env), startServer(env)]);
  return {
    postgres,
    db,
    ports: servers.map(({ origin }) => Number(new URL(origin).port)),
    pids: servers.map(({ pid }) => pid),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
      await db.destroy();
      await postgres.stop();
    },
  };
}

/** A bare Fastify route in its own process that responds with these headers and this body. */
export async function startBareRoute(response: Response): Promise<RunningServer> {
  // Omits these headers, because Node adds them itself.
  const nodeHeaders = ["connection", "content-length", "date", "keep-alive"];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !nodeHeaders.includes(name)));
  return startProgram(["tests/bench/bare-route.ts", JSON.stringify({ headers, body: await response.text() })]);
}
