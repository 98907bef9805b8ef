/** `npm run bench -- console [rows]`: the console's screens on a list of ten million people. */
import { connect } from "#core/database/connect.ts";
import { migrateAll } from "#core/service/migrate-database.ts";
import { POSTGRES_SETTINGS } from "#tests/bench/servers.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { fillConsole } from "./fill.ts";
import { measureScreens } from "./measure-screens.ts";

const rows = Number(process.argv[2] ?? 10_000_000);
const postgres = await startScratchPostgres({ settings: POSTGRES_SETTINGS });
const db = connect(postgres.url);
await migrateAll(db);
await fillConsole(db.pool, rows);
const screens = await measureScreens(db);
await db.destroy();
await postgres.stop();

console.table(screens);
await saveResults("console", { rows, screens });
