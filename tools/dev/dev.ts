/** `npm run dev`: a scratch database, the API and the page, all three behind one address and reloading as you edit. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer } from "vite";
import { brand } from "#brand/brand.ts";
import { migrateDatabase } from "#core/database/migrate.ts";
import type { Prerender } from "#tools/build/prerender.ts";
import { freePort } from "./free-port.ts";
import { openPostgres } from "./scratch-postgres.ts";
import { untilInterrupted } from "./until-interrupted.ts";

const postgres = await openPostgres();
await migrateDatabase(postgres.url);

const apiPort = String(await freePort());
const api = spawn(process.execPath, ["--watch", "--watch-preserve-output", "tools/dev/api.ts"], {
  env: { ...process.env, DATABASE_URL: postgres.url, PORT: apiPort },
  stdio: ["ignore", "inherit", "inherit"],
});

const vite = await createServer({
  server: { port: Number(process.env.PORT ?? 3000), proxy: { "/api": `http://127.0.0.1:${apiPort}` } },
});
const template = join(vite.config.root, "index.html");

// As in production: the landing page at "/", and a real 404 with the not-found page everywhere else.
vite.middlewares.use(async (request, response, next) => {
  try {
    const path = request.originalUrl?.split("?", 1)[0] ?? "/";
    const html = await vite.transformIndexHtml(path, await readFile(template, "utf8"));
    const { renderPage } = (await vite.ssrLoadModule("/prerender.tsx")) as Prerender;
    response.writeHead(path === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    response.end(await renderPage(html, path));
  } catch (reason) {
    next(reason);
  }
});

await vite.listen();
console.log(`${brand.name} (development): ${vite.resolvedUrls?.local[0]}`);
console.log(`Its database: ${postgres.url}`);

await untilInterrupted();
await vite.close();
api.kill();
await postgres.stop();
