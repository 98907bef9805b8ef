import { createHash, hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { StartupError } from "#core/database/startup-error.ts";
import { pagePolicy } from "#core/http/security-headers.ts";
import type { ViewCounter } from "#core/views/view-counter.ts";
import { keepAssets } from "./kept-assets.ts";
import { countPageView } from "./page-views.ts";

/**
 * For public responses that change: the pages and the stats. A shared cache keeps them for a second, serves them stale
 * for ten more while it revalidates, and for a day while we are down. No s-maxage: it would forbid serving stale.
 */
export const SHORT_LIVED = "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400";

/** For files with a content hash in their name. */
const IMMUTABLE = "public, max-age=31536000, immutable";

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

/**
 * The built site, held in memory: about twenty small files that never change while the server runs. Exactly these files
 * are public, so no request path ever reaches the file system.
 */
export interface Site {
  files: Map<string, SiteFile>;
  notFound: SiteFile;
}

interface SiteFile {
  type: string;
  cacheControl: string;
  etag: string;
  policy: string;
  /** Keyed by content coding; the build compresses text files. */
  bodies: { identity: Buffer; br?: Buffer; gzip?: Buffer };
}

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};

const CODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** If `kept` is given, the assets of recent builds are public too. */
export function loadSite(folder: string, kept?: string): Site {
  const files = new Map(existsSync(folder) ? loadFiles(folder) : []);
  const index = files.get("/index.html");
  const notFound = files.get("/not-found.html");
  if (!index || !notFound) throw new StartupError(`There is no built page in ${folder}. Run: npm run build`);
  // Each page has one URL: "/" is the landing page, and any unknown path the not-found page.
  files.delete("/index.html");
  files.delete("/not-found.html");
  files.set("/", index);
  for (const build of kept ? keepAssets(folder, kept) : []) {
    // An asset of an earlier build never replaces one of the current build.
    for (const [path, file] of loadFiles(build)) if (!files.has(path)) files.set(path, file);
  }
  return { files, notFound };
}

function loadFiles(folder: string): [path: string, SiteFile][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join("/"))
    .flatMap((path) => {
      const type = TYPES[extname(path)];
      return type ? [[path, loadFile(folder, path, type)]] : [];
    });
}

function loadFile(folder: string, path: string, type: string): SiteFile {
  const identity = readFileSync(join(folder, path));
  const bodies: SiteFile["bodies"] = { identity };
  for (const [coding, suffix] of CODINGS) {
    const file = join(folder, path + suffix);
    if (existsSync(file)) bodies[coding] = readFileSync(file);
  }
  return {
    type,
    // Vite puts a content hash into every name below /assets/, so these files never change.
    cacheControl: path.startsWith("/assets/") ? IMMUTABLE : SHORT_LIVED,
    etag: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
    policy: path.endsWith(".html") ? policyWithInlineStyle(identity.toString()) : PAGE_POLICY,
    bodies,
  };
}

export function serveSite(app: FastifyInstance, site: Site, views?: ViewCounter): void {
  for (const [path, file] of site.files) {
    app.get(path, { config: { limit: "memory" } }, (request, reply) => {
      if (views && path === "/") countPageView(request, views);
      return sendFile(request, reply, file);
    });
  }
}

/** Each content coding is a separate representation and needs its own ETag. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): FastifyReply {
  const offered = CODINGS.map(([coding]) => coding).filter((coding) => file.bodies[coding]);
  const coding = negotiate(request.headers["accept-encoding"] ?? "", offered) as "br" | "gzip" | null;
  const etag = `"${file.etag}${coding ? `-${coding}` : ""}"`;
  reply.headers({
    "cache-control": file.cacheControl,
    "content-security-policy": file.policy,
    etag,
    vary: "accept-encoding",
  });
  if (reply.statusCode === 200 && matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (coding) reply.header("content-encoding", coding);
  return reply.type(file.type).send(file.bodies[coding ?? "identity"]);
}

/** If-None-Match per RFC 9110: "*" or a list, compared weakly, because proxies that compress prepend W/. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || (header.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
