import fastify from "fastify";
import { userName } from "#cli/terminal/actor.ts";
import { addConsole } from "#console/api/app.ts";
import type { Access } from "#console/http/guard.ts";
import type { ConsoleParts } from "#console/http/parts.ts";

/** The console's API for development. Unlike a real console's link, this one survives a restart of the API. */
export async function startConsoleApi(parts: ConsoleParts, port: number, page: URL): Promise<void> {
  const token = page.hash.slice(1);
  const operator = { actor: { name: userName(), via: "console" }, role: "admin", sessionId: "development" } as const;
  const access: Access = {
    mode: "local",
    authenticate: async ({ headers: { authorization }, routeOptions: { config } }) =>
      config.access || authorization === `Bearer ${token}` ? operator : "ended",
    // The page exchanges its link's token for a session ID; here, both are the same.
    routes: async (app) => {
      app.post("/api/session", { config: { access: "page" } }, async ({ body }) => ({
        id: (body as { token: string }).token,
      }));
    },
  };
  const app = fastify();
  await addConsole(app, { ...parts, access, host: () => page.host, isPageServed: false });
  await app.listen({ host: "127.0.0.1", port });
}
