import { endSessions, listSessions } from "#core/operators/sessions.ts";
import { withId } from "./filter.ts";
import { needs } from "./guard.ts";
import type { ConsoleRoutes } from "./parts.ts";

export const sessionRoutes: ConsoleRoutes = async (app, { db }) => {
  app.get("/api/sessions", needs("administer"), ({ operator }) => listSessions(db, operator.sessionId));

  app.post("/api/sessions/:id/end", needs("administer", withId), async ({ params, operator }, reply) => {
    const ended = await endSessions(db, operator.actor, params);
    return ended.length ? reply.code(204).send() : reply.code(404).send({ detail: "This session has ended." });
  });
};
