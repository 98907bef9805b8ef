import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { StartupError } from "#core/config/startup-error.ts";
import { type BuiltFile, readBuiltFiles, sendFile } from "#core/http/built-files.ts";
import { pagePolicy } from "#core/http/security-headers.ts";
import type { ViewCounter } from "#core/views/view-counter.ts";
import { keepAssets } from "./kept-assets.ts";
import { countPageView } from "./page-views.ts";

/**
 * For public responses that change: the pages and the stats. A shared cache keeps them for a second, serves them stale
 * for ten more while it revalidates, and for a day while we are down. No s-maxage: it would forbid serving stale.
 */
export const SHORT_LIVED = "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400";

const OWN_POLICY = {
  "worker-src": "'self'",
  "manifest-src": "'self'",
  "form-action": "'self'",
  "trusted-types": "farwatch-backdrop",
};

/** For the site's files, including the worker, and for members' pages. */
export const PAGE_POLICY = pagePolicy(OWN_POLICY);

/** For the prerendered pages: their only style sheet is inline, and allowed by its hash. */
function policyWithInlineStyle(html: string): string {
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  return pagePolicy({ ...OWN_POLICY, "style-src": `'sha256-${hash("sha256", style, "base64")}'` });
}

/** About twenty small files. Exactly these are public. */
export interface Site {
  files: Map<string, BuiltFile>;
  notFound: BuiltFile;
}

const headersOf = (path: string, content: Buffer) => ({
  "cache-control": SHORT_LIVED,
  "content-security-policy": path.endsWith(".html") ? policyWithInlineStyle(content.toString()) : PAGE_POLICY,
});

/** If `kept` is given, the assets of recent builds are public too. */
export function loadSite(folder: string, kept?: string): Site {
  const files = readBuiltFiles(folder, headersOf);
  const index = files.get("/index.html");
  const notFound = files.get("/not-found.html");
  if (!index || !notFound) throw new StartupError(`There is no built page in ${folder}. Run: npm run build`);
  // Each page has one URL: "/" is the landing page, and any unknown path the not-found page.
  files.delete("/index.html");
  files.delete("/not-found.html");
  files.set("/", index);
  for (const build of kept ? keepAssets(folder, kept) : []) {
    // An asset of an earlier build never replaces one of the current build.
    for (const [path, file] of readBuiltFiles(build, headersOf))
      if (path.startsWith("/assets/") && !files.has(path)) files.set(path, file);
  }
  return { files, notFound };
}

export function serveSite(app: FastifyInstance, site: Site, views?: ViewCounter): void {
  for (const [path, file] of site.files) {
    app.get(path, { config: { limit: "memory" } }, (request, reply) => {
      if (views && path === "/") countPageView(request, views);
      return sendFile(request, reply, file);
    });
  }
}
