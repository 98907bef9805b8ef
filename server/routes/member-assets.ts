import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { FastifyInstance } from "fastify";
import { pageStyle } from "#brand/style.ts";
import { SHORT_LIVED } from "#server/http/caching.ts";
import { STYLE_PATH } from "#server/pages/layout.ts";
import { SCRIPT_PATH } from "#server/pages/line-section.ts";

/** Next to the style sheet, which refers to the font by a relative URL. */
const FONT_PATH = STYLE_PATH.replace(/css$/, "woff2");

export function memberAssets(app: FastifyInstance): void {
  const rules = readFileSync(new URL("../pages/member-page.css", import.meta.url), "utf8");
  const script = readFileSync(new URL("../pages/copy-link.js", import.meta.url), "utf8");
  const style = pageStyle("dark", basename(FONT_PATH)) + rules;
  const font = readFileSync(new URL("../../brand/fonts/sans.woff2", import.meta.url));
  const inMemory = { config: { limit: "memory" } } as const;

  app.get(STYLE_PATH, inMemory, (_request, reply) =>
    reply.header("cache-control", SHORT_LIVED).type("text/css; charset=utf-8").send(style),
  );
  app.get(SCRIPT_PATH, inMemory, (_request, reply) =>
    reply.header("cache-control", SHORT_LIVED).type("text/javascript; charset=utf-8").send(script),
  );
  app.get(FONT_PATH, inMemory, (_request, reply) =>
    reply.header("cache-control", SHORT_LIVED).type("font/woff2").send(font),
  );
}
