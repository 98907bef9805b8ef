import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendFile } from "#core/http/built-files.ts";
import { sendProblem } from "#core/http/problem.ts";
import type { Site } from "./site.ts";

/** A known path with the wrong method is 405, an unknown path 404. Must be called before routes are registered. */
export function handleNotFound(app: FastifyInstance, site: Site | undefined): void {
  // Not app.hasRoute(), which treats the requested path as a pattern and throws on a misplaced asterisk.
  const methods = new Map<string, string[]>();
  app.addHook("onRoute", ({ method, url }) => {
    methods.set(url, [...(methods.get(url) ?? []), method].flat());
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const allowed = methods.get(path) ?? methods.entries().find(([route]) => hasParameterIn(route, path))?.[1];
    if (allowed) return sendProblem(reply.header("allow", allowed.join(", ")), 405);
    return sendNotFound(request, reply, site);
  });
}

/** The not-found page for people, problem details for the API. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply, site: Site | undefined): FastifyReply {
  const path = pathOf(request);
  if (!site || path === "/api" || path.startsWith("/api/")) return sendProblem(reply, 404);
  return sendFile(request, reply.code(404), site.notFound);
}

function hasParameterIn(route: string, path: string): boolean {
  if (!route.includes("/:")) return false;
  const [expected, actual] = [route.split("/"), path.split("/")];
  return expected.length === actual.length && expected.every((part, i) => part.startsWith(":") || part === actual[i]);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "/";
}
