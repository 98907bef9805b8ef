/** Runs both APIs and the mail worker for development, and restarts when a file changes. Vite serves the pages. */
import { readConfig } from "#core/config/config.ts";
import { connect } from "#core/database/connect.ts";
import { memberLink } from "#core/links/links.ts";
import { recordMail } from "#core/mail/switch.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { createLogger, outageLog } from "#core/service/log.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import type { LinkOf } from "#core/transfer/export-file.ts";
import { createApp } from "#server/app.ts";
import { startMailWorker } from "#worker/start.ts";
import { startConsoleApi } from "./console-api.ts";
import { unlimited } from "./unlimited.ts";

const { keys, mail, invitations, PUBLIC_ORIGIN: publicOrigin, WEBHOOK_HOSTS: webhookHosts, ...config } = readConfig();
// Migrates here too, to apply a migration that was just written.
await migrateDatabase(config.DATABASE_URL);
const log = createLogger("warn");
const db = connect(config.DATABASE_URL, outageLog(log));
await recordConsentWording(db);
const mailOn = await recordMail(db, mail);
const app = await createApp({ db, ...unlimited, log, publicOrigin, keys, mail: mailOn, invitations });
await app.listen({ host: config.HOST, port: config.PORT });
const linkOf: LinkOf | undefined = keys && publicOrigin ? (to) => memberLink(keys, to, publicOrigin) : undefined;
const parts = { db, keys, mail, invitations, webhookHosts, linkOf };
const { CONSOLE_API_PORT, CONSOLE_URL = "" } = process.env;
await startConsoleApi(parts, Number(CONSOLE_API_PORT), new URL(CONSOLE_URL));
if (mail) startMailWorker(mail, db, (reason) => log.warn(reason, "Mail worker error; continuing"));
