import fastify from "fastify";
import type { Operator } from "#console/http/guard.ts";
import { APP_HEADERS } from "#console/http/headers.ts";
import type { ConsoleParts } from "#console/http/parts.ts";
import { createSession } from "#console/http/session.ts";
import { frameworkErrorsAsProblems } from "#core/http/errors.ts";
import { addConsole } from "./api/app.ts";

/** Outlasts a meeting, but ends a forgotten session. */
const MAX_IDLE_MS = 30 * 60_000;

/** The same each time, because browsers store unsaved drafts per port. */
const USUAL_PORT = 4400;

export interface ConsoleOptions extends ConsoleParts {
  user: Omit<Operator, "sessionId">;
  /** 0 for any free port. By default, the usual port or, if that is taken, any free one. */
  port?: number | undefined;
  /** Listens on the container's own address, because a published port isn't forwarded to its loopback. */
  isInContainer?: boolean;
  maxIdleMs?: number;
}

/** Starts the web console. It listens on localhost only, because it has the database's credentials. */
export async function startConsole({ port, isInContainer, maxIdleMs = MAX_IDLE_MS, ...parts }: ConsoleOptions) {
  const session = createSession(parts.user);
  const app = fastify({
    ...frameworkErrorsAsProblems(APP_HEADERS),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  });
  // Resolves on stop() or after the idle timeout.
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const stop = async () => {
    clearTimeout(idle);
    await app.close();
    end();
  };
  let idle: NodeJS.Timeout | undefined;
  app.addHook("onResponse", async ({ routeOptions }, { statusCode }) => {
    if (!routeOptions.config.access && statusCode < 400) idle?.refresh();
  });
  let host = "";
  await addConsole(app, { ...parts, access: session, host: () => host });
  const listen = (on: number) => app.listen({ host: isInContainer ? "0.0.0.0" : "127.0.0.1", port: on });
  const origin = await (port === undefined ? listen(USUAL_PORT).catch(() => listen(0)) : listen(port));
  host = `127.0.0.1:${new URL(origin).port}`;
  idle = setTimeout(stop, maxIdleMs);
  return { url: `http://${host}/#${session.token}`, ended, stop };
}
