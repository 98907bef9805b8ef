import { join } from "node:path";
import { createApp } from "#server/app.ts";
import { readConfig } from "#server/config.ts";
import { connect } from "#server/database/connect.ts";
import { missingMigrations } from "#server/database/migrate.ts";
import { loadSite } from "#server/http/site.ts";

const config = readConfig();
const db = connect(config.DATABASE_URL, {
  onIdleError: (reason) => app.log.warn(reason, "A database connection broke"),
});

const missing = await missingMigrations(db);
if (missing.length) {
  await db.destroy();
  throw new Error(`The database schema is older than this server: ${missing.join(", ")} missing. Run: npm run migrate`);
}

const app = await createApp({
  db,
  site: loadSite(join(import.meta.dirname, "../dist")),
  logger: {
    level: config.LOG_LEVEL,
    // No address and no query string: neither says anything about us, and both may say something about a visitor.
    serializers: { req: ({ method, url }) => ({ method, path: url.split("?", 1)[0] }) },
  },
});
await app.listen({ host: config.HOST, port: config.PORT });

async function drain(signal: string): Promise<void> {
  app.log.info(`${signal}: finishing what has begun`);
  await app.close();
  await db.destroy();
}
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, drain);
