import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";
import { PROBLEM_TYPE, type Problem, problemSchema } from "#contract/problem.ts";

/** How a route's schema names it. */
export const problemAnswer = { description: "What went wrong", content: { [PROBLEM_TYPE]: { schema: problemSchema } } };

/** The shape of every answer that is not a success. Its title is the status's own name. */
export function problem(status: number, more: Pick<Problem, "detail" | "errors"> = {}): Problem {
  return { type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, ...more };
}

export function sendProblem(reply: FastifyReply, body: Problem): FastifyReply {
  return reply.code(body.status).header("cache-control", "no-store").type(PROBLEM_TYPE).send(body);
}
