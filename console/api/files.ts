import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { iconSvg } from "#brand/icon.ts";
import { pageStyle } from "#brand/style.ts";
import { StartupError } from "#core/service/startup-error.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves the built page. Reads it once, because `npm run build` may replace its files while the console runs. */
export function serveFiles(app: FastifyInstance, folder: string): void {
  const paths = globSync("assets/*", { cwd: folder });
  if (paths.length === 0) throw new StartupError("The console isn't built. Run: npm run build");
  const access = { config: { access: "page" } } as const;
  for (const path of paths) {
    const content = readFileSync(join(folder, path));
    app.get(`/${path}`, access, (_request, reply) => reply.type(TYPES[extname(path)] ?? "").send(content));
  }
  const font = readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url));
  app.get("/sans.woff2", access, (_request, reply) => reply.type("font/woff2").send(font));
  const icon = iconSvg();
  app.get("/icon.svg", access, (_request, reply) => reply.type("image/svg+xml").send(icon));
  const tokens = pageStyle("light dark", "sans.woff2");
  app.get("/tokens.css", access, (_request, reply) => reply.type("text/css; charset=utf-8").send(tokens));
  // Each view has a URL; the page's script picks the view.
  const page = readFileSync(join(folder, "index.html"));
  app.get("/*", access, ({ url }, reply) =>
    url.startsWith("/api/")
      ? reply.code(404).send({ detail: "Not found." })
      : reply.type("text/html; charset=utf-8").send(page),
  );
}
