import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { join } from "node:path";
import { type Config, readConfig } from "#core/config.ts";
import { connect, type Database } from "#core/database/connect.ts";
import { unsafeSettings } from "#core/database/durability.ts";
import { createLogger } from "#core/log.ts";
import { createMetrics } from "#core/metrics.ts";
import { RefusedStart } from "#core/refused-start.ts";
import { requireSchema } from "#core/require-schema.ts";
import { runService, type Service } from "#core/service.ts";
import { recordConsentWording } from "#core/waitlist/consent.ts";
import { createApp } from "#server/app.ts";
import { startPrivateServer } from "#server/http/private-server.ts";
import { openRedis } from "#server/http/redis.ts";
import { loadSite } from "#server/http/site.ts";
import { startMailWorker } from "#worker/start.ts";

/**
 * Longer than the second after which PostgreSQL looks for a deadlock, and short enough that a visitor hears within two
 * seconds that it hangs.
 */
const STATEMENT_TIMEOUT_MS = 1200;
/** How long connected clients may take to finish, once the server is to end. */
const CLOSE_TIMEOUT_MS = 5000;

await runService(startServer);

async function startServer(): Promise<Service> {
  const config = readConfig();
  const site = loadSite(join(import.meta.dirname, "../dist"), config.KEPT_ASSETS);
  const log = createLogger(config.LOG_LEVEL);
  const db = connect(config.DATABASE_URL, {
    onIdleError: (reason) => log.warn(reason, "A database connection broke"),
    timeoutMs: STATEMENT_TIMEOUT_MS,
  });
  await prepare(db, config);

  const redis = config.REDIS_URL
    ? openRedis(config.REDIS_URL, (reason) => log.warn(reason, "Redis is not reachable"))
    : undefined;
  const metrics = createMetrics();
  metrics.watchProcess();
  metrics.watch("farwatch_pool_busy", "Database connections at work", () => db.pool.totalCount - db.pool.idleCount);
  metrics.watch("farwatch_pool_waiting", "Statements that wait for a connection", () => db.pool.waitingCount);

  const app = await createApp({
    db,
    site,
    counters: { redis, secret: config.keys ? Buffer.from(config.keys.limiter.secret) : randomBytes(32) },
    metrics,
    limits: {
      perClient: config.LIMIT_PER_CLIENT,
      perAddress: config.LIMIT_PER_ADDRESS,
      waiting: config.LIMIT_WAITING,
    },
    publicOrigin: config.PUBLIC_ORIGIN,
    trustProxy: config.TRUST_PROXY,
    log,
    keys: config.keys,
    isMailed: config.mail !== undefined,
  });

  let state: "serving" | "draining" = "serving";
  let watchers: Server | undefined;
  if (config.PRIVATE_PORT !== undefined) {
    watchers = await startPrivateServer(config.PRIVATE_HOST, config.PRIVATE_PORT, {
      registry: metrics.registry,
      // A database that is away is no reason to send visitors elsewhere: it is away from there too, and the page isn't.
      isReady: () => state === "serving",
    });
  }
  const worker =
    config.mail && config.MAIL_WORKER === "inside"
      ? await startMailWorker(config.mail, db, config.DATABASE_URL, (reason) =>
          log.warn(reason, "The mail worker failed; it goes on"),
        )
      : undefined;
  await app.listen({ host: config.HOST, port: config.PORT });

  return {
    /** Not ready first, so that a proxy looks elsewhere; then what has begun is finished, and what waits is written. */
    async stop() {
      state = "draining";
      log.info("Draining: finishing what has begun");
      const workerStopped = worker?.stop();
      if (watchers) await new Promise((resolve) => setTimeout(resolve, config.DRAIN_MS));
      // Node closes what is idle now; what becomes idle later would be kept for its next request, and half a request for ever.
      const idle = setInterval(() => app.server.closeIdleConnections(), 50);
      const late = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
      await app.close();
      clearInterval(idle);
      clearTimeout(late);
      await workerStopped;
      watchers?.close();
      redis?.disconnect();
      await db.destroy();
    },
  };
}

/** Refuses a database that this code can't keep its word on. */
async function prepare(db: Database, { ALLOW_DATA_LOSS }: Config): Promise<void> {
  await requireSchema(db, "server");
  const unsafe = (await unsafeSettings(db)).filter((setting) => !ALLOW_DATA_LOSS.includes(setting));
  if (unsafe.length) {
    throw new RefusedStart(
      `PostgreSQL could lose an acknowledged sign-up: ${unsafe.join(" and ")} not on. ` +
        `To run it like that all the same: ALLOW_DATA_LOSS=${unsafe.join(",")}`,
    );
  }
  await recordConsentWording(db);
}
