import * as z from "zod/mini";
import { PAGE_SIZE } from "#console/contract.ts";
import { type Activity, type ActivityQuery, readActivity } from "#core/activity.ts";
import { describeActivity } from "#core/activity-text.ts";
import type { Database } from "#core/database/connect.ts";
import { id } from "./filter.ts";
import { needs } from "./guard.ts";
import type { ConsoleRoutes } from "./parts.ts";

export const activityRoutes: ConsoleRoutes = async (app, { db }) => {
  const querystring = z.object({ before: z.optional(id) });
  app.get("/api/activity", { ...needs("read"), schema: { querystring } }, ({ query: { before } }) =>
    readEntries(db, { before, limit: PAGE_SIZE }),
  );
};

export async function readEntries(db: Database, query: ActivityQuery) {
  const { entries, next } = await readActivity(db, query);
  return { entries: entries.map(toEntry), next };
}

/** Splits the sentence about an operator's action around the person it concerns. */
function toEntry(entry: Activity) {
  const { id, at, actor, via, personId } = entry;
  const { before, person: email, after } = describeActivity(entry);
  /** Null if the entry concerns nobody, or someone who is no longer on the list. */
  const person = personId && email ? { id: personId, email } : null;
  return { id, at, actor, via, before, person, after };
}
