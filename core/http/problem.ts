import { STATUS_CODES } from "node:http";
import type { FastifyReply } from "fastify";
import { PROBLEM_TYPE, type Problem, problemSchema } from "#contract/problem.ts";

export const problemResponse = {
  description: "What went wrong",
  content: { [PROBLEM_TYPE]: { schema: problemSchema } },
};

/** RFC 9457 allows other members beside these. */
type Details = Pick<Problem, "detail" | "errors" | "requestId"> & Record<string, unknown>;

/** The body of every error response (RFC 9457); the title is the HTTP status text. */
export function problem(status: number, more: Details = {}): Problem {
  return { type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, ...more };
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Overrides how a route sends a problem. Returns undefined to send the default JSON. */
    sendProblem?: (reply: FastifyReply, problem: Problem) => FastifyReply | undefined;
  }
}

export function sendProblem(reply: FastifyReply, status: number, details?: string | Details): FastifyReply {
  const body = problem(status, typeof details === "string" ? { detail: details } : details);
  if (status >= 500) {
    body.requestId ??= reply.request.id;
    reply.header("x-request-id", body.requestId);
  }
  const sent = reply.request.routeOptions.config?.sendProblem?.(reply, body);
  if (sent) return sent;
  return reply.code(status).header("cache-control", "no-store").type(PROBLEM_TYPE).send(body);
}
