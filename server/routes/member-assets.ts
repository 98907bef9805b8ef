import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { FastifyInstance } from "fastify";
import { pageStyle } from "#brand/style.ts";
import { SHORT_LIVED } from "#server/http/site.ts";
import { STYLE_PATH } from "#server/pages/layout.ts";

/** Next to the style sheet, which refers to the font by a relative URL. */
const FONT_PATH = STYLE_PATH.replace(/css$/, "woff2");

export function memberAssets(app: FastifyInstance): void {
  const rules = readFileSync(new URL("../pages/member-page.css", import.meta.url), "utf8");
  const font = readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url));
  serveAsset(app, STYLE_PATH, "text/css; charset=utf-8", pageStyle("dark", basename(FONT_PATH)) + rules);
  serveAsset(app, FONT_PATH, "font/woff2", font);
}

export function serveAsset(app: FastifyInstance, path: string, type: string, body: string | Buffer): void {
  app.get(path, { config: { limit: "memory" } }, (_request, reply) =>
    reply.header("cache-control", SHORT_LIVED).type(type).send(body),
  );
}
