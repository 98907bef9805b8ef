import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";
import { PROBLEM_TYPE, type Problem, problemSchema } from "#contract/problem.ts";

/** How a route's schema names it. */
export const problemResponse = {
  description: "What went wrong",
  content: { [PROBLEM_TYPE]: { schema: problemSchema } },
};

/** The shape of every answer that is not a success. Its title is the status's own name. */
export function problem(status: number, more: Pick<Problem, "detail" | "errors"> = {}): Problem {
  return { type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, ...more };
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** A route's own way to answer with a problem, where it has one for this request. */
    sendProblem?: (reply: FastifyReply, problem: Problem) => FastifyReply | undefined;
  }
}

export function sendProblem(reply: FastifyReply, body: Problem): FastifyReply {
  const sent = reply.request.routeOptions.config?.sendProblem?.(reply, body);
  if (sent) return sent;
  return reply.code(body.status).header("cache-control", "no-store").type(PROBLEM_TYPE).send(body);
}
