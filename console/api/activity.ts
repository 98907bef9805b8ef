import * as z from "zod/mini";
import { PAGE_SIZE } from "#console/contract.ts";
import { type Activity, type ActivityQuery, readActivity, readActors } from "#core/activity/activity.ts";
import { describeActivity } from "#core/activity/activity-text.ts";
import type { Database } from "#core/database/connect.ts";
import { date, id, text } from "./filter.ts";
import { needs } from "./guard.ts";
import type { ConsoleRoutes } from "./parts.ts";

export const activityRoutes: ConsoleRoutes = async (app, { db }) => {
  const querystring = z.strictObject({ before: z.optional(id), by: z.optional(text), on: z.optional(date) });
  app.get("/api/activity", needs("read", { querystring }), ({ query }) =>
    readEntries(db, { ...query, limit: PAGE_SIZE }),
  );

  app.get("/api/activity/operators", needs("read"), () => readActors(db));
};

export async function readEntries(db: Database, query: ActivityQuery) {
  const { entries, next } = await readActivity(db, query);
  return { entries: entries.map(toEntry), next };
}

function toEntry(entry: Activity) {
  const { id, at, actor, via } = entry;
  return { id, at, actor, via, phrases: describeActivity(entry) };
}
