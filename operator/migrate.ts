import { readConfig } from "#server/config.ts";
import { connect } from "#server/database/connect.ts";
import { migrate } from "#server/database/migrate.ts";

const db = connect(readConfig().DATABASE_URL);
try {
  const applied = await migrate(db);
  console.log(applied.length ? `Applied ${applied.join(", ")}` : "Nothing to apply: the schema is up to date");
} finally {
  await db.destroy();
}
