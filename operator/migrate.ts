import { readConfig } from "#server/config.ts";
import { migrateDatabase } from "#server/database/migrate.ts";

const applied = await migrateDatabase(readConfig().DATABASE_URL);
console.log(applied.length ? `Applied ${applied.join(", ")}` : "Nothing to apply: the schema is up to date");
