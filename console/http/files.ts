import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { iconSvg } from "#brand/icon.ts";
import { pageStyle } from "#brand/style.ts";
import { StartupError } from "#core/database/startup-error.ts";
import { sendProblem } from "#core/http/problem.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves brand/'s files and, unless Vite does, the page. Reads them once, because a build may replace them later. */
export function serveFiles(app: FastifyInstance, folder: string | undefined): void {
  const access = { config: { access: "page" } } as const;
  const paths = folder ? globSync("assets/*", { cwd: folder }) : [];
  const files = {
    ...Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder ?? "", path))])),
    "sans.woff2": readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url)),
    "icon.svg": iconSvg(),
    "tokens.css": pageStyle("light dark", "sans.woff2"),
  };
  for (const [path, content] of Object.entries(files)) {
    app.get(`/${path}`, access, (_request, reply) => reply.type(TYPES[extname(path)] ?? "").send(content));
  }
  if (!folder) return;
  if (paths.length === 0) throw new StartupError("The console isn't built. Run: npm run build");
  // Each view has a URL; the page's script picks the view.
  const page = readFileSync(join(folder, "index.html"));
  app.get("/*", access, ({ url }, reply) =>
    url.startsWith("/api/") ? sendProblem(reply, 404, "Not found.") : reply.type("text/html; charset=utf-8").send(page),
  );
}
