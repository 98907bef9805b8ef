/** `npm run console`: the web console for a team, which signs in with the company's account. */

import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { APP_HEADERS } from "#console/http/headers.ts";
import { readConfig } from "#core/config/config.ts";
import { StartupError } from "#core/config/startup-error.ts";
import { connect, READS } from "#core/database/connect.ts";
import { frameworkErrorsAsProblems } from "#core/http/errors.ts";
import { startPrivateServer } from "#core/http/private-server.ts";
import { createRequestId } from "#core/http/request-id.ts";
import { drain } from "#core/service/drain.ts";
import { createLogger, outageLog } from "#core/service/log.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { runService } from "#core/service/run-service.ts";
import { waitForDatabase } from "#core/service/wait-for-database.ts";
import { addConsole } from "./api/app.ts";
import { createTeamAccess } from "./sign-in/team-access.ts";

await runService(async () => {
  const config = readConfig();
  const { team } = config;
  if (!team) throw new StartupError("CONSOLE_ORIGIN is required: this program is the team's console.");
  const log = createLogger(config.LOG_LEVEL);
  const db = connect(config.DATABASE_URL, outageLog(log));
  const reads = connect(config.DATABASE_URL, READS);
  await waitForDatabase(db, log);
  await requireSchema(db, "console");

  const metrics = createMetrics();
  metrics.watchProcess();
  metrics.watch("farwatch_database_up", "Whether the database can be written", async () => Number(await db.isUp()));
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY,
    genReqId: createRequestId(config.TRUST_PROXY),
    ...frameworkErrorsAsProblems(APP_HEADERS),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // Longer than nginx keeps idle connections, so the console never closes one that nginx is about to reuse.
    keepAliveTimeout: 75_000,
    requestTimeout: 10_000,
  });
  app.addHook("onResponse", async ({ routeOptions: { url = "" } }, { statusCode }) => {
    metrics.responses.inc({ route: url.startsWith("/assets/") ? "site" : url, status: statusCode });
  });
  const access = createTeamAccess(db, team);
  await addConsole(app, { db, reads, ...team.parts, access, host: () => new URL(team.origin).host });

  let state: "starting" | "serving" | "draining" = "starting";
  const isReady = () => state === "serving";
  const privateServer = await startPrivateServer(config, { registry: metrics.registry, isReady });
  await app.listen({ host: config.HOST, port: config.PORT });
  state = "serving";
  return {
    async stop() {
      state = "draining";
      await drain(app, privateServer && config.DRAIN_MS);
      privateServer?.close();
      await Promise.all([db.destroy(), reads.destroy()]);
    },
  };
});
