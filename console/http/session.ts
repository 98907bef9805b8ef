import { randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { sendProblem } from "#core/http/problem.ts";
import type { Authenticate, Operator } from "./guard.ts";

/**
 * The only session of a console on the operator's own machine. The token is single-use, so that a URL left in a terminal
 * or in the browser's history opens nothing. No cookie, because localhost shares cookies between ports.
 */
export function createSession(user: Omit<Operator, "sessionId">) {
  const [token, id] = [randomToken(), randomToken()];
  const operator = { ...user, sessionId: "local" };
  let isExchanged = false;
  /** Requires the session's id in the Authorization header, where browsers can send it. */
  const authenticate: Authenticate = async ({ headers: { authorization = "" }, routeOptions }) => {
    const isKnown = routeOptions.config.access !== undefined || isEqual(authorization, `Bearer ${id}`);
    return isExchanged && isKnown ? operator : "ended";
  };
  const exchange = (given: string) => {
    if (isExchanged || !isEqual(given, token)) return undefined;
    isExchanged = true;
    return id;
  };
  const routes: FastifyPluginAsyncZod = async (app) => {
    const options = { schema: { body: z.object({ token: z.string() }) }, config: { access: "page" } } as const;
    app.post("/api/session", options, async ({ body }, reply) => {
      const id = exchange(body.token);
      return id ? { id } : sendProblem(reply, 401, "This link has been used. Start the console again.");
    });
  };
  return { mode: "local" as const, token, exchange, authenticate, routes };
}

export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
