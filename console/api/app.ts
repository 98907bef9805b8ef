import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { hasZodFastifySchemaValidationErrors, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { isUnavailable } from "#core/database/faults.ts";
import { exportRoutes } from "./exports.ts";
import { serveFiles } from "./files.ts";
import { guard } from "./guard.ts";
import { APP_HEADERS } from "./headers.ts";
import { overviewRoutes } from "./overview.ts";
import type { ConsoleParts } from "./parts.ts";
import { peopleRoutes } from "./people.ts";
import { quarantineRoutes } from "./quarantine.ts";
import type { Session } from "./session.ts";
import { sessionRoute } from "./session-route.ts";

export interface ConsoleAppParts extends ConsoleParts {
  session: Session;
  /** The only Host that is answered. */
  host: () => string;
}

export async function addConsole(app: FastifyInstance, { session, host, ...parts }: ConsoleAppParts): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(APP_HEADERS);
  });
  guard(app, { host, session });
  app.setErrorHandler((error, _request, reply) => {
    if (hasZodFastifySchemaValidationErrors(error))
      return reply.code(400).send({ detail: "Some fields aren't valid." });
    // The message of a database error may contain a row.
    if (isUnavailable(error)) return reply.code(503).send({ detail: "Can't reach the database." });
    return reply.code(500).send({ detail: "Something went wrong." });
  });
  await app.register(sessionRoute, { session });
  for (const routes of [overviewRoutes, peopleRoutes, quarantineRoutes]) await app.register(routes, parts);
  await app.register(exportRoutes, { ...parts, session });
  serveFiles(app, join(import.meta.dirname, "../../dist-console"));
}
