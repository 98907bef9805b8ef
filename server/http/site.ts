import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RefusedStart } from "#core/refused-start.ts";
import { IMMUTABLE, SHARED_BRIEFLY } from "./caching.ts";
import { keepAssets } from "./kept-assets.ts";
import { PAGE_POLICY } from "./security-headers.ts";

/**
 * The built site, held in memory: it is some twenty small files that never change while the server runs. What is public
 * is exactly this list, so no request path ever reaches the file system.
 */
export interface Site {
  files: Map<string, SiteFile>;
  notFound: SiteFile;
}

interface SiteFile {
  type: string;
  cacheControl: string;
  etag: string;
  /** By content coding; the build compresses what gets smaller by it. */
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

/** Where assets are kept, those of the last builds are public too. */
export function loadSite(folder: string, kept?: string): Site {
  const files = new Map(existsSync(folder) ? loadFiles(folder) : []);
  const index = files.get("/index.html");
  const notFound = files.get("/not-found.html");
  if (!index || !notFound) throw new RefusedStart(`There is no built page in ${folder}. Run: npm run build`);
  // Pages have one address each: "/" for the landing page, and every unknown one for the not-found page.
  files.delete("/index.html");
  files.delete("/not-found.html");
  files.set("/", index);
  for (const build of kept ? keepAssets(folder, kept) : []) {
    // Nothing that lies there takes the place of what we were built with.
    for (const [path, file] of loadFiles(build)) if (!files.has(path)) files.set(path, file);
  }
  return { files, notFound };
}

function loadFiles(folder: string): [path: string, SiteFile][] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join("/"));
  const all = new Set(paths);
  return paths.flatMap((path) => {
    const type = TYPES[extname(path)];
    return type ? [[path, loadFile(folder, path, type, all)]] : [];
  });
}

function loadFile(folder: string, path: string, type: string, all: Set<string>): SiteFile {
  const identity = readFileSync(join(folder, path));
  const bodies: SiteFile["bodies"] = { identity };
  for (const [coding, suffix] of CODINGS) {
    if (all.has(path + suffix)) bodies[coding] = readFileSync(join(folder, path + suffix));
  }
  return {
    type,
    // Vite puts a hash of the content into every name below /assets/, so these can be kept for ever.
    cacheControl: path.startsWith("/assets/") ? IMMUTABLE : SHARED_BRIEFLY,
    etag: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
    bodies,
  };
}

export function serveSite(app: FastifyInstance, site: Site): void {
  for (const [path, file] of site.files) {
    app.get(path, (request, reply) => sendFile(request, reply, file));
  }
}

/** Every coding is a representation of its own and so needs an ETag of its own. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): FastifyReply {
  const offered = CODINGS.map(([coding]) => coding).filter((coding) => file.bodies[coding]);
  const coding = negotiate(request.headers["accept-encoding"] ?? "", offered) as "br" | "gzip" | null;
  const etag = `"${file.etag}${coding ? `-${coding}` : ""}"`;
  reply.headers({
    "cache-control": file.cacheControl,
    "content-security-policy": PAGE_POLICY,
    etag,
    vary: "accept-encoding",
  });
  if (reply.statusCode === 200 && hasEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (coding) reply.header("content-encoding", coding);
  return reply.type(file.type).send(file.bodies[coding ?? "identity"]);
}

/** If-None-Match by RFC 9110: "*" or a list, compared weakly, because proxies that compress put W/ before ours. */
export function hasEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || (header.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
