import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problem, sendProblem } from "./problem.ts";
import { type Site, sendFile } from "./site.ts";

const METHODS = ["GET", "HEAD", "POST"] as const;

/** A known path with a wrong method is 405; an unknown one is 404. */
export function answerNotFound(app: FastifyInstance, site: Site | undefined): void {
  app.setNotFoundHandler((request, reply) => {
    const allowed = METHODS.filter((method) => app.hasRoute({ method, url: pathOf(request) }));
    if (allowed.length) return sendProblem(reply.header("allow", allowed.join(", ")), problem(405));
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
