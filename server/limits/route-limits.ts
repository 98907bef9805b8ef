import type { FastifyInstance } from "fastify";

/**
 * How a route is protected from a client that sends too many requests:
 * - client: limited by client;
 * - member: limited by client and by member;
 * - consent: like member, with a lower limit for giving consent;
 * - withdrawal: no rate limit, because nobody may be kept from unsubscribing or leaving;
 * - provider: limited by client and sender (a mail provider or the product);
 * - memory: not limited here, because the response is in memory and costs no more than a 429. nginx limits it.
 */
type RouteLimit = "client" | "member" | "consent" | "withdrawal" | "provider" | "memory";

declare module "fastify" {
  interface FastifyContextConfig {
    limit?: RouteLimit;
  }
}

/** Makes start-up fail if a route declares no limit. Must be called before routes are registered. */
export function requireDeclaredLimits(app: FastifyInstance): void {
  app.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.limit) throw new Error(`${method} ${url} declares no rate limit`);
  });
}
