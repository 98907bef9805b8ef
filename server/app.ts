import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Database } from "#core/database/connect.ts";
import type { Keys } from "#core/keys.ts";
import type { Metrics } from "#core/metrics.ts";
import { handleClientError } from "#server/http/client-error.ts";
import { handleErrorsAsProblems } from "#server/http/errors.ts";
import { maxConnections } from "#server/http/max-connections.ts";
import { handleNotFound, sendNotFound } from "#server/http/not-found.ts";
import type { Counters } from "#server/http/rate-limits.ts";
import { SECURITY_HEADERS, sendSecurityHeaders } from "#server/http/security-headers.ts";
import { type Site, serveSite } from "#server/http/site.ts";
import { membershipRoutes } from "#server/routes/members.ts";
import { type WaitlistLimits, waitlistRoutes } from "#server/routes/waitlist.ts";

export interface AppParts {
  db: Database;
  counters: Counters;
  metrics: Metrics;
  limits: WaitlistLimits;
  /** The built page. Left out where only the API is wanted: in development Vite serves the page. */
  site?: Site;
  /** Where visitors find us, when that is not what the Host header says. */
  publicOrigin?: string | undefined;
  /** The proxies, as addresses or CIDRs, whose word on a client's address is taken. */
  trustProxy?: string[];
  log?: FastifyBaseLogger;
  /** What members' links are signed with. Left out, there are no members' pages. */
  keys?: Keys | undefined;
  /** Whether those who join are written to: the mark is set here, a mail worker does the rest. */
  isMailed?: boolean | undefined;
}

/** The largest sign-up the contract allows is some 6 kB of JSON. */
const BODY_LIMIT = 16 * 1024;

/** How long a connection may take to say what it wants. A sign-up is one packet; whoever sends it in drops is no visitor. */
const TIMEOUTS = {
  requestTimeout: 10_000,
  // Longer than a proxy keeps an idle connection, so that it is never the server that closes one in use.
  keepAliveTimeout: 75_000,
  http: { headersTimeout: 5000, connectionsCheckingInterval: 1000 },
};

/** Plugins and routes, by name and in order. Listening is main's business. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { db, counters, metrics, limits, site, publicOrigin, trustProxy, log, keys, isMailed } = parts;
  const app = fastify({
    ...(log && { loggerInstance: log }),
    // A line for each request cost a sixth of the server's time and says nothing when all is well; faults are logged.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy ?? false,
    bodyLimit: BODY_LIMIT,
    // Whoever is connected while it closes is served like everybody else.
    return503OnClosing: false,
    ...TIMEOUTS,
    clientErrorHandler: handleClientError,
    // An address that can't be decoded is one more that isn't there. No hook has run for it.
    frameworkErrors: (_error, request, reply) => sendNotFound(request, reply.headers(SECURITY_HEADERS), site),
    exposeHeadRoutes: true,
  });
  app.server.maxConnections = maxConnections();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // JSON and forms; whatever else is sent answers 415.
  app.removeContentTypeParser("text/plain");
  sendSecurityHeaders(app);
  handleErrorsAsProblems(app);
  handleNotFound(app, site);

  await app
    .withTypeProvider<ZodTypeProvider>()
    .register(waitlistRoutes, { db, counters, metrics, limits, publicOrigin, isMailed });
  if (keys) await app.register(membershipRoutes, { db, keys });
  if (site) serveSite(app, site);
  return app;
}
