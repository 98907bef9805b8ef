/** `npm run worker`: sends the mails apart from the servers, which then have MAIL_WORKER=apart. Any number may run. */
import { ConfigError, readConfig } from "#core/config.ts";
import { connect } from "#core/database/connect.ts";
import { missingMigrations } from "#core/database/migrate.ts";
import { createLogger } from "#core/log.ts";
import { startMail } from "./start.ts";

const config = readConfig();
const log = createLogger(config.LOG_LEVEL);
const db = connect(config.DATABASE_URL, { onIdleError: (reason) => log.warn(reason, "A database connection broke") });
const missing = await missingMigrations(db);
if (missing.length) throw new Error(`The schema is older than this worker: ${missing.join(", ")} missing`);
const mail = await startMail(config, db, (reason) => log.warn(reason, "The mail worker failed; it goes on"));
if (!mail) throw new ConfigError("SMTP_URL: is needed by a mail worker");
log.info("The mail worker is at work");

let state: "working" | "stopping" = "working";
for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, async () => {
    if (state === "stopping") return;
    state = "stopping";
    await mail.stop();
    await db.destroy();
  });
}
