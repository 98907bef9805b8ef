import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { join } from "node:path";
import { readConfig } from "#core/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { unsafeSettings } from "#core/database/durability.ts";
import { missingMigrations } from "#core/database/migrate.ts";
import { createLogger } from "#core/log.ts";
import { createMetrics } from "#core/metrics.ts";
import { recordConsentWording } from "#core/waitlist/consent.ts";
import { createApp } from "#server/app.ts";
import { listenPrivately } from "#server/http/private.ts";
import { openRedis } from "#server/http/redis.ts";
import { loadSite } from "#server/http/site.ts";
import { startMail } from "#worker/start.ts";

/**
 * Longer than the second after which PostgreSQL looks for a deadlock, and short enough that a visitor hears within two
 * seconds that it hangs.
 */
const STATEMENT_TIMEOUT_MS = 1200;
/** How long those who are connected may take to finish, once it is to end. */
const MOST_CLOSING_MS = 5000;

const config = readConfig();
const log = createLogger(config.LOG_LEVEL);
const db = connect(config.DATABASE_URL, {
  onIdleError: (reason) => log.warn(reason, "A database connection broke"),
  timeoutMs: STATEMENT_TIMEOUT_MS,
});
await prepare(db).catch(async (reason) => {
  await db.destroy();
  throw reason;
});

const redis = config.REDIS_URL
  ? openRedis(config.REDIS_URL, (reason) => log.warn(reason, "Redis is not reachable"))
  : undefined;
const metrics = createMetrics();
metrics.watchProcess();
metrics.watch("farwatch_pool_busy", "Database connections at work", () => db.pool.totalCount - db.pool.idleCount);
metrics.watch("farwatch_pool_waiting", "Statements that wait for a connection", () => db.pool.waitingCount);

const app = await createApp({
  db,
  site: loadSite(join(import.meta.dirname, "../dist"), config.KEPT_ASSETS),
  counters: { redis, secret: config.SECRET ? Buffer.from(config.SECRET) : randomBytes(32) },
  metrics,
  limits: {
    perClient: config.LIMIT_PER_CLIENT,
    perAddress: config.LIMIT_PER_ADDRESS,
    waiting: config.LIMIT_WAITING,
  },
  publicOrigin: config.PUBLIC_ORIGIN,
  trustProxy: config.TRUST_PROXY,
  log,
  memberSecret: config.SECRET,
  isMailed: config.SMTP_URL !== undefined,
});

let state: "serving" | "draining" = "serving";
let watchers: Server | undefined;
if (config.PRIVATE_PORT !== undefined) {
  watchers = await listenPrivately(config.PRIVATE_HOST, config.PRIVATE_PORT, {
    registry: metrics.registry,
    // A database that is away is no reason to send visitors elsewhere: it is away from there too, and the page isn't.
    isReady: () => state === "serving",
  });
}
const mail =
  config.MAIL_WORKER === "inside"
    ? await startMail(config, db, (reason) => log.warn(reason, "The mail worker failed; it goes on"))
    : undefined;
await app.listen({ host: config.HOST, port: config.PORT });
// Once: npm passes on a signal that the whole group has had already.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => state === "serving" && drain(signal));

/** Not ready first, so that a proxy looks elsewhere; then what has begun is finished, and what waits is written. */
async function drain(signal: string): Promise<void> {
  state = "draining";
  log.info(`${signal}: finishing what has begun`);
  const mailStopped = mail?.stop();
  if (watchers) await new Promise((resolve) => setTimeout(resolve, config.DRAIN_MS));
  // Node closes what is idle now; what becomes idle later would be kept for its next request, and half a request for ever.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const late = setTimeout(() => app.server.closeAllConnections(), MOST_CLOSING_MS);
  await app.close();
  clearInterval(idle);
  clearTimeout(late);
  await mailStopped;
  watchers?.close();
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
      `PostgreSQL could lose an acknowledged sign-up: ${unsafe.join(" and ")} not on. ` +
        `To run it like that all the same: ALLOW_DATA_LOSS=${unsafe.join(",")}`,
    );
  }
  await recordConsentWording(db);
}
