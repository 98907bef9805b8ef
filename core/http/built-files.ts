import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A file held in memory: a build has few, and they never change while the server runs. */
export interface BuiltFile {
  type: string;
  etag: string;
  headers: Headers;
  /** Keyed by content coding; the build compresses text files. */
  bodies: { identity: Buffer; br?: Buffer; gzip?: Buffer };
}

type Headers = Record<string, string>;
/** Headers that only some of a server's files have. */
type HeadersOf = (path: string, content: Buffer) => Headers;

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

/** Vite puts a content hash into every name below /assets/, so these files never change. */
const cachingOf = (path: string) =>
  path.startsWith("/assets/") ? { "cache-control": "public, max-age=31536000, immutable" } : {};

/** Reads a build's regular files once, so that no request path ever reaches the file system. None if the folder is missing. */
export function readBuiltFiles(folder: string, headersOf: HeadersOf = () => ({})): Map<string, BuiltFile> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join("/"));
  const read = (path: string) => {
    const bodies: BuiltFile["bodies"] = { identity: readFileSync(join(folder, path)) };
    for (const [coding, suffix] of CODINGS) {
      if (paths.includes(path + suffix)) bodies[coding] = readFileSync(join(folder, path + suffix));
    }
    return toBuiltFile(path, bodies, { ...headersOf(path, bodies.identity), ...cachingOf(path) });
  };
  return new Map(paths.filter((path) => TYPES[extname(path)]).map((path) => [path, read(path)]));
}

export function toBuiltFile(path: string, bodies: BuiltFile["bodies"], headers: Headers = {}): BuiltFile {
  const etag = createHash("sha256").update(bodies.identity).digest("base64url").slice(0, 22);
  return { type: TYPES[extname(path)] ?? "", etag, headers, bodies };
}

/** Each content coding is a separate representation and needs its own ETag. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const offered = CODINGS.map(([coding]) => coding).filter((coding) => file.bodies[coding]);
  const coding = negotiate(request.headers["accept-encoding"] ?? "", offered) as "br" | "gzip" | null;
  const etag = `"${file.etag}${coding ? `-${coding}` : ""}"`;
  reply.headers({ ...file.headers, etag, vary: "accept-encoding" });
  if (reply.statusCode === 200 && matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (coding) reply.header("content-encoding", coding);
  return reply.type(file.type).send(file.bodies[coding ?? "identity"]);
}

/** If-None-Match per RFC 9110: "*" or a list, compared weakly, because proxies that compress prepend W/. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || (header.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
