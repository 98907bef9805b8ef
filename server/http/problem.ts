import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";
import { PROBLEM_TYPE, type Problem, problemSchema } from "#contract/problem.ts";

export const problemResponse = {
  description: "What went wrong",
  content: { [PROBLEM_TYPE]: { schema: problemSchema } },
};

/** The body of every error response (RFC 9457); the title is the HTTP status text. */
export function problem(status: number, more: Pick<Problem, "detail" | "errors"> = {}): Problem {
  return { type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, ...more };
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Overrides how a route sends a problem. Returns undefined to send the default JSON. */
    sendProblem?: (reply: FastifyReply, problem: Problem) => FastifyReply | undefined;
  }
}

export function sendProblem(reply: FastifyReply, body: Problem): FastifyReply {
  const sent = reply.request.routeOptions.config?.sendProblem?.(reply, body);
  if (sent) return sent;
  return reply.code(body.status).header("cache-control", "no-store").type(PROBLEM_TYPE).send(body);
}
