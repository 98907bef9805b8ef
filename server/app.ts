import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { InvitationConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { frameworkErrorsAsProblems, handleErrorsAsProblems } from "#core/http/errors.ts";
import { createRequestId } from "#core/http/request-id.ts";
import { securityHeaders, sendSecurityHeaders } from "#core/http/security-headers.ts";
import type { ViewCounter } from "#core/views/view-counter.ts";
import { handleNotFound, sendNotFound } from "#server/http/not-found.ts";
import { serveSecurityTxt } from "#server/http/security-txt.ts";
import { type Site, serveSite } from "#server/http/site.ts";
import { measureLoad } from "#server/limits/load-shedding.ts";
import { maxConnections } from "#server/limits/max-connections.ts";
import { requireDeclaredLimits } from "#server/limits/route-limits.ts";
import { acceptanceRoutes } from "#server/routes/acceptances.ts";
import { invitationRoutes } from "#server/routes/invitations.ts";
import { type MailEventOptions, mailEventRoutes } from "#server/routes/mail-events.ts";
import { memberPages } from "#server/routes/member-pages.ts";
import { type WaitlistOptions, waitlistRoutes } from "#server/routes/waitlist.ts";

export interface AppParts extends WaitlistOptions, MailEventOptions {
  /** Separate connections for members, so that they can't use up the connections of sign-ups. Shared if omitted. */
  membersDb?: Database;
  /** The built page. Omitted in development, where Vite serves the page and this app serves only the API. */
  site?: Site;
  views?: ViewCounter;
  /** Addresses or CIDRs of the proxies whose X-Forwarded-For is trusted. */
  trustProxy?: string[];
  /** Extends HSTS to all subdomains, and allows the site into browsers' preload lists. */
  hstsPreload?: boolean;
  log?: FastifyBaseLogger;
  /** Lets invited people into the product. If omitted, no keys are published. */
  invitations?: InvitationConfig | undefined;
}

/** The largest sign-up the contract allows is about 6 kB of JSON. */
const BODY_LIMIT = 16 * 1024;

/**
 * Disconnects clients that don't read their response. Node notices them after one to two timeouts, so within 30
 * seconds; nginx gives up after 15 seconds too.
 */
const WRITE_TIMEOUT_MS = 15_000;

/** Stops slowloris. Real sign-ups arrive in a few packets. */
const TIMEOUTS = {
  requestTimeout: 10_000,
  // Longer than a proxy keeps idle connections, so the server never closes one that the proxy is about to reuse.
  keepAliveTimeout: 75_000,
  connectionTimeout: WRITE_TIMEOUT_MS,
  http: { headersTimeout: 5000, connectionsCheckingInterval: 1000 },
};

/** Registers plugins and routes explicitly and in order; main.ts makes the app listen. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { db, membersDb = db, metrics, limits, site, trustProxy, log, mail, invitations, hstsPreload = false } = parts;
  const headers = securityHeaders({ hstsPreload });
  const app = fastify({
    ...(log && { loggerInstance: log }),
    // A log line per request took a sixth of the server's time and is useless when all is well; errors are logged.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestId(trustProxy),
    trustProxy: trustProxy ?? false,
    bodyLimit: BODY_LIMIT,
    // During graceful shutdown, requests on open connections are still served.
    return503OnClosing: false,
    ...TIMEOUTS,
    ...frameworkErrorsAsProblems(headers),
    // A URL that can't be decoded is a 404. No hook has run for it, so the security headers are set here.
    frameworkErrors: (_error, request, reply) => sendNotFound(request, reply.headers(headers), site),
    exposeHeadRoutes: true,
  });
  app.server.maxConnections = maxConnections();
  // A reset also frees the data that the kernel has buffered for the client.
  app.server.on("timeout", (socket) => (socket.writableLength > 0 ? socket.resetAndDestroy() : socket.destroy()));
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Only JSON and forms are accepted; any other content type gets 415.
  app.removeContentTypeParser("text/plain");
  sendSecurityHeaders(app, headers);
  handleErrorsAsProblems(app, db.breaker);
  requireDeclaredLimits(app);
  await measureLoad(app);
  app.addHook("onResponse", ({ routeOptions: { url = "" } }, { statusCode }, done) => {
    // One label for all files, because their names change with each build.
    metrics.responses.inc({ route: url.startsWith("/api/") ? url : "site", status: statusCode });
    done();
  });
  handleNotFound(app, site);

  await app.withTypeProvider<ZodTypeProvider>().register(waitlistRoutes, parts);
  await app.register(memberPages, { ...parts, db: membersDb, perClient: limits.perClient, mail });
  await app.register(mailEventRoutes, { ...parts, db: membersDb });
  if (invitations) {
    await app.register(invitationRoutes, invitations);
    await app.register(acceptanceRoutes, { ...parts, db: membersDb, invitations });
  }
  if (site) {
    serveSite(app, site, parts.views);
    serveSecurityTxt(app);
  }
  return app;
}
