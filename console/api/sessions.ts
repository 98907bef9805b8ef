import { withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { sendProblem } from "#core/http/problem.ts";
import { endSessions, listSessions } from "#core/operators/sessions.ts";

export const sessionRoutes: ConsoleRoutes = async (app, { db }) => {
  app.get("/api/sessions", needs("administer"), ({ operator }) => listSessions(db, operator.sessionId));

  app.post("/api/sessions/:id/end", needs("administer", withId), async ({ params, operator }, reply) => {
    const ended = await endSessions(db, operator.actor, params);
    return ended.length ? reply.code(204).send() : sendProblem(reply, 404, "This session has ended.");
  });
};
