import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { FastifyInstance } from "fastify";
import { pageStyle } from "#brand/style.ts";
import { SHORT_LIVED } from "#server/http/site.ts";
import { STYLE_PATH } from "#server/pages/layout.ts";
import { SCRIPT_PATH } from "#server/pages/line-section.ts";

/** Next to the style sheet, which refers to the font by a relative URL. */
const FONT_PATH = STYLE_PATH.replace(/css$/, "woff2");

export function memberAssets(app: FastifyInstance): void {
  const rules = readFileSync(new URL("../pages/member-page.css", import.meta.url), "utf8");
  const script = readFileSync(new URL("../pages/copy-link.js", import.meta.url), "utf8");
  const style = pageStyle("dark", basename(FONT_PATH)) + rules;
  const font = readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url));
  for (const { path, type, body } of [
    { path: STYLE_PATH, type: "text/css; charset=utf-8", body: style },
    { path: SCRIPT_PATH, type: "text/javascript; charset=utf-8", body: script },
    { path: FONT_PATH, type: "font/woff2", body: font },
  ]) {
    app.get(path, { config: { limit: "memory" } }, (_request, reply) =>
      reply.header("cache-control", SHORT_LIVED).type(type).send(body),
    );
  }
}
