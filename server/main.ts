import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { STATS_PATH } from "#contract/paths.ts";
import { type Config, readConfig } from "#core/config/config.ts";
import { StartupError } from "#core/config/startup-error.ts";
import { connect, type Database, MAX_MAIL_CONNECTIONS, MAX_MEMBER_CONNECTIONS } from "#core/database/connect.ts";
import { unsafeSettings } from "#core/database/durability.ts";
import { startPrivateServer } from "#core/http/private-server.ts";
import { type MailOn, recordMail } from "#core/mail/switch.ts";
import { watchOnCall } from "#core/on-call/on-call-metrics.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { drain } from "#core/service/drain.ts";
import { createLogger, outageLog } from "#core/service/log.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { runService, type Service } from "#core/service/run-service.ts";
import { waitForDatabase } from "#core/service/wait-for-database.ts";
import { startViewCounter } from "#core/views/view-counter.ts";
import { createApp } from "#server/app.ts";
import { loadSite } from "#server/http/site.ts";
import { openRedis } from "#server/limits/redis.ts";
import { MAIL_TIMEOUT_MS, startMailWorker } from "#worker/start.ts";

/**
 * Longer than PostgreSQL's deadlock_timeout of one second, and short enough that a visitor gets an error within two
 * seconds when the database hangs.
 */
const STATEMENT_TIMEOUT_MS = 1200;
/** Sign-ups that may wait to be written, one or two seconds' worth. Beyond that the API responds 503. */
const MAX_WAITING = 10_000;

await runService(startServer);

async function startServer(): Promise<Service> {
  const config = readConfig();
  const site = loadSite(join(import.meta.dirname, "../dist"), config.KEPT_ASSETS);
  const log = createLogger(config.LOG_LEVEL);
  const db = connect(config.DATABASE_URL, { ...outageLog(log), timeoutMs: STATEMENT_TIMEOUT_MS });
  // Doesn't log outages, because the first pool uses the same database and logs them.
  const membersDb = connect(config.DATABASE_URL, {
    timeoutMs: STATEMENT_TIMEOUT_MS,
    maxConnections: MAX_MEMBER_CONNECTIONS,
  });
  await waitForDatabase(db, log);
  const mail = await prepareDatabase(db, config);

  const redis = config.REDIS_URL
    ? openRedis(config.REDIS_URL, (reason) => log.warn(reason, "Redis is not reachable"))
    : undefined;
  const metrics = createMetrics();
  metrics.watchProcess();
  metrics.watch("farwatch_pool_busy", "Database connections in use", () => db.pool.totalCount - db.pool.idleCount);
  metrics.watch("farwatch_pool_waiting", "Statements waiting for a connection", () => db.pool.waitingCount);
  // Registered after the pool's metrics, because reading these gauges uses a connection.
  metrics.watch("farwatch_database_up", "Whether sign-ups can be stored", async () => Number(await db.isUp()));
  watchOnCall(metrics, db);
  // Uses the members' pool, because a slow count is no reason to refuse sign-ups.
  const views = startViewCounter(membersDb, (reason) => log.warn(reason, "Could not store page views"), metrics.views);

  const app = await createApp({
    db,
    membersDb,
    site,
    views,
    limiter: { redis, secret: config.keys ? Buffer.from(config.keys.limiter.secret) : randomBytes(32) },
    metrics,
    limits: { perClient: config.LIMIT_PER_CLIENT, perAddress: config.LIMIT_PER_ADDRESS, waiting: MAX_WAITING },
    publicOrigin: config.PUBLIC_ORIGIN,
    trustProxy: config.TRUST_PROXY,
    hstsPreload: config.HSTS_PRELOAD === "yes",
    log,
    keys: config.keys,
    mail,
    invitations: config.invitations,
    mailEvents: config.MAIL_EVENTS,
  });

  // Caches the stats, so that the page has figures to show if an outage follows.
  await app.inject(STATS_PATH);
  let state: "starting" | "serving" | "draining" = "starting";
  // Stays ready while PostgreSQL is down: the other servers have no database either, and the page still works.
  const isReady = () => state === "serving";
  const privateServer = await startPrivateServer(config, { registry: metrics.registry, isReady });
  const worker = await startWorkerInside(config, log);
  await app.listen({ host: config.HOST, port: config.PORT });
  state = "serving";

  return {
    /** Fails /ready first, so that proxies go elsewhere; then finishes open requests and writes what is queued. */
    async stop() {
      state = "draining";
      log.info("Draining: finishing open requests");
      const workerStopped = worker?.stop();
      await drain(app, privateServer && config.DRAIN_MS);
      await views.stop();
      await workerStopped;
      privateServer?.close();
      redis?.disconnect();
      await Promise.all([db.destroy(), membersDb.destroy()]);
    },
  };
}

/** Uses a separate pool and circuit breaker, because a slow claim is no reason to refuse sign-ups. */
async function startWorkerInside({ mail, MAIL_WORKER, DATABASE_URL }: Config, log: ReturnType<typeof createLogger>) {
  if (!mail || MAIL_WORKER !== "inside") return undefined;
  const db = connect(DATABASE_URL, { timeoutMs: MAIL_TIMEOUT_MS, maxConnections: MAX_MAIL_CONNECTIONS });
  // Fails if the server's role lacks a worker's privileges, because then no mail would be sent.
  await db.pool.query("select body from messages limit 0");
  const worker = startMailWorker(mail, db, (reason) => log.warn(reason, "Mail worker error; continuing"));
  return {
    async stop() {
      await worker.stop();
      await db.destroy();
    },
  };
}

/** Refuses an outdated schema, and settings that could lose an acknowledged sign-up. Records whether mail is on. */
async function prepareDatabase(db: Database, { ALLOW_DATA_LOSS, mail }: Config): Promise<MailOn | undefined> {
  await requireSchema(db, "server");
  const unsafe = (await unsafeSettings(db)).filter((setting) => !ALLOW_DATA_LOSS.includes(setting));
  if (unsafe.length) {
    throw new StartupError(
      `PostgreSQL could lose an acknowledged sign-up: ${unsafe.join(" and ")} not on. ` +
        `To start anyway: ALLOW_DATA_LOSS=${unsafe.join(",")}`,
    );
  }
  await recordConsentWording(db);
  return recordMail(db, mail);
}
