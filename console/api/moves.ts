import * as z from "zod/mini";
import type { Moved } from "#console/contract/people.ts";
import { filterSchemas, id, withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { movePeople, previewMove, readMoves, undoMove } from "#core/retention/move.ts";

/** Without a filter, everyone would be moved. */
const hasFilter = z.refine((filter) => Object.values(filter as object).some((value) => value !== undefined));
const filterSchema = z.strictObject(filterSchemas()).check(hasFilter);

export const moveRoutes: ConsoleRoutes = async (app, { db }) => {
  app.get("/api/moves", needs("read"), () => readMoves(db));

  app.get("/api/moves/preview", needs("read", { querystring: filterSchema }), ({ query }) => previewMove(db, query));

  // Both respond once everyone is moved, which takes seconds for tens of thousands.
  const withMove = needs("write", { body: z.object({ filter: filterSchema, upTo: id, withConfirmed: z.boolean() }) });
  app.post("/api/moves", withMove, async ({ body, operator }): Promise<Moved> => {
    return { moved: await movePeople(db, operator.actor, body) };
  });

  app.post("/api/moves/:id/undo", needs("write", withId), async ({ params, operator }): Promise<Moved> => {
    return { moved: await undoMove(db, operator.actor, params.id) };
  });
};
