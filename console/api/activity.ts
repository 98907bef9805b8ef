import * as z from "zod/mini";
import { PAGE_SIZE } from "#console/contract/people.ts";
import { date, id, text } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { readEntries } from "#console/json/activity.ts";
import { readActors } from "#core/activity/activity.ts";

export const activityRoutes: ConsoleRoutes = async (app, { db }) => {
  const querystring = z.strictObject({ before: z.optional(id), by: z.optional(text), on: z.optional(date) });
  app.get("/api/activity", needs("read", { querystring }), ({ query }) =>
    readEntries(db, { ...query, limit: PAGE_SIZE }),
  );

  app.get("/api/activity/operators", needs("read"), () => readActors(db));
};
