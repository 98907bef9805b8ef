import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Database } from "#server/database/connect.ts";
import { answerErrorsAsProblems } from "#server/http/errors.ts";
import type { Counters } from "#server/http/limits.ts";
import { answerNotFound } from "#server/http/not-found.ts";
import { type Site, serveSite } from "#server/http/site.ts";
import { type WaitlistLimits, waitlistRoutes } from "#server/waitlist/routes.ts";

export interface AppParts {
  db: Database;
  counters: Counters;
  limits: WaitlistLimits;
  /** The built page. Left out where only the API is wanted: in development Vite serves the page. */
  site?: Site;
  /** The proxies, as addresses or CIDRs, whose word on a client's address is taken. */
  trustProxy?: string[];
  logger?: FastifyServerOptions["logger"];
}

/** The largest sign-up the contract allows is some 6 kB of JSON. */
const BODY_LIMIT = 16 * 1024;

/** Plugins and routes, by name and in order. Listening is main's business. */
export async function createApp({
  db,
  counters,
  limits,
  site,
  trustProxy,
  logger,
}: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: logger ?? false,
    // A line for each request cost a sixth of the server's time and says nothing when all is well; faults are logged.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy ?? false,
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: true,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // JSON and forms; whatever else is sent answers 415.
  app.removeContentTypeParser("text/plain");
  answerErrorsAsProblems(app);
  answerNotFound(app, site);

  await app.withTypeProvider<ZodTypeProvider>().register(waitlistRoutes, { db, counters, limits });
  if (site) serveSite(app, site);
  return app;
}
