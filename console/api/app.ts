import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { serveFiles } from "#console/http/files.ts";
import { type Access, guard, needs, queueHeavyReads } from "#console/http/guard.ts";
import { APP_HEADERS } from "#console/http/headers.ts";
import type { ConsoleParts } from "#console/http/parts.ts";
import { handleErrorsAsProblems } from "#core/http/errors.ts";
import { sendSecurityHeaders } from "#core/http/security-headers.ts";

import { activityRoutes } from "./activity.ts";
import { exportRoutes } from "./exports.ts";
import { importRoutes } from "./imports.ts";
import { messageActions } from "./message-actions.ts";
import { messageRoutes } from "./messages.ts";
import { overviewRoutes } from "./overview.ts";
import { peopleRoutes } from "./people.ts";
import { personRoutes } from "./person.ts";
import { previewRoutes } from "./previews.ts";
import { quarantineRoutes } from "./quarantine.ts";
import { questionRoutes } from "./questions.ts";
import { sessionRoutes } from "./sessions.ts";
import { waveRoutes } from "./waves.ts";
import { webhookRoutes } from "./webhooks.ts";

export const ROUTES = [
  overviewRoutes,
  peopleRoutes,
  personRoutes,
  messageRoutes,
  messageActions,
  previewRoutes,
  waveRoutes,
  exportRoutes,
  importRoutes,
  quarantineRoutes,
  questionRoutes,
  activityRoutes,
  sessionRoutes,
  webhookRoutes,
];

interface ConsoleAppParts extends ConsoleParts {
  /** The only Host header that is accepted. */
  host: () => string;
  access: Access;
  /** False in development, where Vite serves the page. */
  isPageServed?: boolean;
}

export async function addConsole(
  app: FastifyInstance,
  { host, access, isPageServed = true, ...parts }: ConsoleAppParts,
): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  sendSecurityHeaders(app, APP_HEADERS);
  guard(app, host, access);
  queueHeavyReads(app);
  handleErrorsAsProblems(app, parts.db.breaker, "This takes too long. Narrow the filters.");
  app.get("/api/session", needs("read"), async ({ operator: { actor, role } }) => {
    return { mode: access.mode, ...access.names, name: actor.name, role };
  });
  await app.register(access.routes);
  for (const routes of ROUTES) await app.register(routes, parts);
  serveFiles(app, isPageServed ? join(import.meta.dirname, "../../dist-console") : undefined);
}
