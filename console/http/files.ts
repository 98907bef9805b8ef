import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { iconSvg } from "#brand/icon.ts";
import { pageStyle } from "#brand/style.ts";
import { StartupError } from "#core/config/startup-error.ts";
import { type BuiltFile, readBuiltFiles, sendFile, toBuiltFile } from "#core/http/built-files.ts";
import { sendProblem } from "#core/http/problem.ts";

/** Serves brand/'s files and, unless Vite does, the built page. */
export function serveFiles(app: FastifyInstance, folder: string | undefined): void {
  const access = { config: { access: "page" } } as const;
  const files = folder ? readBuiltFiles(folder) : new Map<string, BuiltFile>();
  const page = files.get("/index.html");
  files.delete("/index.html");
  const brand = {
    "/sans.woff2": readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url)),
    "/icon.svg": Buffer.from(iconSvg()),
    "/tokens.css": Buffer.from(pageStyle("light dark", "sans.woff2")),
  };
  for (const [path, identity] of Object.entries(brand)) files.set(path, toBuiltFile(path, { identity }));
  for (const [path, file] of files) app.get(path, access, (request, reply) => sendFile(request, reply, file));
  if (!folder) return;
  if (!page) throw new StartupError("The console isn't built. Run: npm run build");
  // Each view has a URL; the page's script picks the view.
  app.get("/*", access, (request, reply) =>
    request.url.startsWith("/api/") ? sendProblem(reply, 404, "Not found.") : sendFile(request, reply, page),
  );
}
