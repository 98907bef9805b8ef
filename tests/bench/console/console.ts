/**
 * `npm run bench -- console [rows]`: the console's screens on a list of ten million people.
 */
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
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

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  console.log(`${what}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return result;
}

await migrateAll(db);
await timed(`Filled ${rows.toLocaleString("en")} rows`, () => fillConsole(db.pool, rows));
await timed("Built the indexes", () => migrateAll(db));
await db.pool.query("checkpoint");
const screens = await measureScreens(db);
await db.destroy();
await postgres.stop();

/** The scripts that index.html loads, and those that they import; other chunks are loaded on demand. */
function initialScripts(file = "index.html", seen = new Set<string>()): Set<string> {
  const text = readFileSync(`dist-console/${file}`, "utf8");
  const imports = file.endsWith(".html") ? /src="\/(assets\/[^"]+\.js)"/g : /(?:import|from)\s*"\.\/([^"]+\.js)"/g;
  for (const [, found = ""] of text.matchAll(imports)) {
    const path = found.startsWith("assets/") ? found : `assets/${found}`;
    if (seen.has(path)) continue;
    seen.add(path);
    initialScripts(path, seen);
  }
  return seen;
}
const sizes = [...initialScripts()].map((path) => brotliCompressSync(readFileSync(`dist-console/${path}`)).length);

const results = {
  rows,
  initialJs: sizes.reduce((sum, size) => sum + size, 0),
  screens,
};
console.table(screens);
console.log(`Initial JavaScript: ${results.initialJs} bytes, brotli`);
await saveResults("console", results);
