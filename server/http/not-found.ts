import type { FastifyInstance } from "fastify";
import { problem, sendProblem } from "./problem.ts";
import { type Site, sendFile } from "./site.ts";

const METHODS = ["GET", "HEAD", "POST"] as const;

/** A known path with a wrong method is 405; an unknown one is 404, with the page for people and a problem for the API. */
export function answerNotFound(app: FastifyInstance, site: Site | undefined): void {
  app.setNotFoundHandler((request, reply) => {
    const [path = "/"] = request.url.split("?", 1);
    const allowed = METHODS.filter((method) => app.hasRoute({ method, url: path }));
    if (allowed.length) return sendProblem(reply.header("allow", allowed.join(", ")), problem(405));
    if (!site || path === "/api" || path.startsWith("/api/")) return sendProblem(reply, problem(404));
    return sendFile(request, reply.code(404), site.notFound);
  });
}
