import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createApp } from "#server/app.ts";
import { readConfig } from "#server/config.ts";
import { connect, type Database } from "#server/database/connect.ts";
import { unsafeSettings } from "#server/database/durability.ts";
import { missingMigrations } from "#server/database/migrate.ts";
import { createMetrics } from "#server/http/metrics.ts";
import { listenPrivately } from "#server/http/private.ts";
import { openRedis } from "#server/http/redis.ts";
import { loadSite } from "#server/http/site.ts";
import { recordConsentWording } from "#server/waitlist/consent.ts";

/** With half a second more for a PostgreSQL that can't even say so, nobody waits for it longer than two seconds. */
const STATEMENT_TIMEOUT_MS = 1000;

const config = readConfig();
const db = connect(config.DATABASE_URL, {
  onIdleError: (reason) => app.log.warn(reason, "A database connection broke"),
  timeoutMs: STATEMENT_TIMEOUT_MS,
});
await prepare(db).catch(async (reason) => {
  await db.destroy();
  throw reason;
});

const redis = config.REDIS_URL
  ? openRedis(config.REDIS_URL, (reason) => app.log.warn(reason, "Redis is not reachable"))
  : undefined;
const metrics = createMetrics();
metrics.watchProcess();
metrics.watch("farwatch_pool_busy", "Database connections at work", () => db.pool.totalCount - db.pool.idleCount);
metrics.watch("farwatch_pool_waiting", "Statements that wait for a connection", () => db.pool.waitingCount);

const app = await createApp({
  db,
  site: loadSite(join(import.meta.dirname, "../dist")),
  counters: { redis, secret: config.SECRET ? Buffer.from(config.SECRET) : randomBytes(32) },
  metrics,
  limits: {
    perClient: config.LIMIT_PER_CLIENT,
    perAddress: config.LIMIT_PER_ADDRESS,
    waiting: config.LIMIT_WAITING,
  },
  publicOrigin: config.PUBLIC_ORIGIN,
  trustProxy: config.TRUST_PROXY,
  logger: {
    level: config.LOG_LEVEL,
    // No address and no query string: neither says anything about us, and both may say something about a visitor.
    serializers: { req: ({ method, url }) => ({ method, path: url.split("?", 1)[0] }) },
  },
});

let state: "serving" | "draining" = "serving";
const watched = config.PRIVATE_PORT !== undefined && {
  registry: metrics.registry,
  // A database that is away is no reason to send visitors elsewhere: the page is still there, and so is every instance's.
  isReady: async () => state === "serving",
};
const privately = watched && (await listenPrivately(config.PRIVATE_HOST, config.PRIVATE_PORT ?? 0, watched));
await app.listen({ host: config.HOST, port: config.PORT });
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, drain);

/** Not ready first, so that a proxy looks elsewhere; then what has begun is finished, and what waits is written. */
async function drain(signal: string): Promise<void> {
  state = "draining";
  app.log.info(`${signal}: finishing what has begun`);
  if (privately) await new Promise((resolve) => setTimeout(resolve, config.DRAIN_MS));
  await app.close();
  if (privately) privately.close();
  redis?.disconnect();
  await db.destroy();
}

/** Refuses a database that this code can't keep its word on. */
async function prepare(db: Database): Promise<void> {
  const missing = await missingMigrations(db);
  if (missing.length) {
    throw new Error(`The schema is older than this server: ${missing.join(", ")} missing. Run: npm run migrate`);
  }
  const unsafe = (await unsafeSettings(db)).filter((setting) => !config.ALLOW_DATA_LOSS.includes(setting));
  if (unsafe.length) {
    throw new Error(
      `PostgreSQL could lose an acknowledged sign-up: ${unsafe.join(" and ")} off. ` +
        `To run it like that all the same: ALLOW_DATA_LOSS=${unsafe.join(",")}`,
    );
  }
  await recordConsentWording(db);
}
