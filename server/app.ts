import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Database } from "#server/database/connect.ts";
import { answerErrorsAsProblems } from "#server/http/errors.ts";
import { answerNotFound } from "#server/http/not-found.ts";
import { type Site, serveSite } from "#server/http/site.ts";
import { waitlistRoutes } from "#server/waitlist/routes.ts";

export interface AppParts {
  db: Database;
  /** The built page. Left out where only the API is wanted: in development Vite serves the page. */
  site?: Site;
  logger?: FastifyServerOptions["logger"];
}

/** The largest sign-up the contract allows is some 6 kB of JSON. */
const BODY_LIMIT = 16 * 1024;

/** Plugins and routes, by name and in order. Listening is main's business. */
export async function createApp({ db, site, logger = false }: AppParts): Promise<FastifyInstance> {
  const app = fastify({ logger, bodyLimit: BODY_LIMIT, exposeHeadRoutes: true });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // JSON and nothing else; whatever else is sent answers 415.
  app.removeContentTypeParser("text/plain");
  answerErrorsAsProblems(app);
  answerNotFound(app, site);

  await app.withTypeProvider<ZodTypeProvider>().register(waitlistRoutes, { db });
  if (site) serveSite(app, site);
  return app;
}
