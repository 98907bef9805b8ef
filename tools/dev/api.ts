/** The APIs of page and console, and the mail worker, for development; Vite serves the pages. Restarted when one of their files changes. */
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

const config = readConfig();
// Migrates here too, to apply a migration that was just written.
await migrateDatabase(config.DATABASE_URL);
const log = createLogger("warn");
const db = connect(config.DATABASE_URL, outageLog(log));
await recordConsentWording(db);
const app = await createApp({
  db,
  ...unlimited,
  log,
  publicOrigin: config.PUBLIC_ORIGIN,
  keys: config.keys,
  mail: await recordMail(db, config.mail),
  invitations: config.invitations,
});
await app.listen({ host: config.HOST, port: config.PORT });
const { keys, mail, invitations, PUBLIC_ORIGIN: origin, HOOK_HOSTS: webhookHosts } = config;
const linkOf: LinkOf | undefined = keys && origin ? (holder) => memberLink(keys, holder, origin) : undefined;
const { CONSOLE_API_PORT, CONSOLE_URL = "" } = process.env;
await startConsoleApi(
  { db, keys, mail, invitations, webhookHosts, linkOf },
  Number(CONSOLE_API_PORT),
  new URL(CONSOLE_URL),
);
if (config.mail) {
  startMailWorker(config.mail, db, (reason) => log.warn(reason, "Mail worker error; continuing"));
}
