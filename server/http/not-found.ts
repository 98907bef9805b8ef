import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problem, sendProblem } from "./problem.ts";
import { type Site, sendFile } from "./site.ts";

/** A known path with a wrong method is 405; an unknown one is 404. To be called before there are routes. */
export function handleNotFound(app: FastifyInstance, site: Site | undefined): void {
  // Not by app.hasRoute(), which takes what a visitor typed for a pattern, and throws at a misplaced asterisk.
  const methods = new Map<string, string[]>();
  app.addHook("onRoute", ({ method, url }) => {
    methods.set(url, [...(methods.get(url) ?? []), method].flat());
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.get(pathOf(request));
    if (allowed) return sendProblem(reply.header("allow", allowed.join(", ")), problem(405));
    return sendNotFound(request, reply, site);
  });
}

/** The page for people, a problem for the API. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply, site: Site | undefined): FastifyReply {
  const path = pathOf(request);
  if (!site || path === "/api" || path.startsWith("/api/")) return sendProblem(reply, problem(404));
  return sendFile(request, reply.code(404), site.notFound);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "/";
}
