/** `npm run worker`: sends the mails apart from the servers, which then have MAIL_WORKER=apart. Any number may run. */
import fastify from "fastify";
import { connect } from "#server/database/connect.ts";
import { missingMigrations } from "#server/database/migrate.ts";
import { logging } from "#server/http/logging.ts";
import { ConfigError, readConfig } from "./config.ts";
import { startMail } from "./start-mail.ts";

const config = readConfig();
// For its logger alone: the same lines as the servers', with the same care about what is in them.
const { log } = fastify({ logger: logging(config.LOG_LEVEL) ?? false });
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
