/** `npm run worker`: sends mail outside the servers, which then run with MAIL_WORKER=apart. Any number may run. */
import { readConfig } from "#core/config/config.ts";
import { connect } from "#core/database/connect.ts";
import { createLogger, outageLog } from "#core/service/log.ts";
import { requireSchema } from "#core/service/require-schema.ts";
import { runService } from "#core/service/run-service.ts";
import { StartupError } from "#core/service/startup-error.ts";
import { startMailWorker } from "./start.ts";

await runService(async () => {
  const { mail, DATABASE_URL, LOG_LEVEL } = readConfig();
  if (!mail) throw new StartupError("SMTP_URL is required: this program sends mail.");
  const log = createLogger(LOG_LEVEL);
  const db = connect(DATABASE_URL, outageLog(log));
  await requireSchema(db, "worker");
  const worker = startMailWorker(mail, db, (reason) => log.warn(reason, "Mail worker error; continuing"));
  log.info("Mail worker started");
  return {
    async stop() {
      await worker.stop();
      await db.destroy();
    },
  };
});
