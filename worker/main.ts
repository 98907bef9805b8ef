/** `npm run worker`: sends mail outside the servers, which then run with MAIL_WORKER=apart. Any number may run. */
import { readConfig } from "#core/config/config.ts";
import { StartupError } from "#core/config/startup-error.ts";
import { connect } from "#core/database/connect.ts";
import { startPrivateServer } from "#core/http/private-server.ts";
import { fetchCertificates } from "#core/mail/events/certificates.ts";
import { createLogger, outageLog } from "#core/service/log.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { runService } from "#core/service/run-service.ts";
import { waitForDatabase } from "#core/service/wait-for-database.ts";
import { MAIL_TIMEOUT_MS, startMailWorker } from "./start.ts";

/** How often to fetch the certificates that servers need to verify Amazon's events. SNS retries for an hour. */
const CERTIFICATES_MS = 5000;

await runService(async () => {
  const config = readConfig();
  const { mail } = config;
  if (!mail) throw new StartupError("SMTP_URL is required: this program sends mail.");
  const log = createLogger(config.LOG_LEVEL);
  const db = connect(config.DATABASE_URL, { ...outageLog(log), timeoutMs: MAIL_TIMEOUT_MS });
  await waitForDatabase(db, log);
  await requireSchema(db, "worker");
  const worker = startMailWorker(mail, db, (reason) => log.warn(reason, "Mail worker error; continuing"));
  const fetching = setInterval(() => fetchCertificates(db).catch(worker.reportError), CERTIFICATES_MS);
  const { registry, watch, watchProcess } = createMetrics();
  watchProcess();
  watch("farwatch_database_up", "Whether the worker can use its database", async () => Number(await db.isUp()));
  const privateServer = await startPrivateServer(config, { registry, ...worker });
  log.info("Mail worker started");
  return {
    async stop() {
      clearInterval(fetching);
      await worker.stop();
      privateServer?.close();
      await db.destroy();
    },
  };
});
