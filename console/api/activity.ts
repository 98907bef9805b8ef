import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { type ActivityEntry, type ActivityPage, PAGE_SIZE } from "#console/contract.ts";
import { type Activity, readActivity } from "#core/activity.ts";
import { describeActivity } from "#core/activity-text.ts";
import { id } from "./filter.ts";
import type { ConsoleParts } from "./parts.ts";

export const activityRoutes: FastifyPluginAsyncZod<ConsoleParts> = async (app, { db }) => {
  app.get(
    "/api/activity",
    { schema: { querystring: z.object({ before: z.optional(id) }) } },
    async ({ query: { before } }): Promise<ActivityPage> => {
      const { entries, next } = await readActivity(db, { before, limit: PAGE_SIZE });
      return { entries: entries.map(toEntry), next };
    },
  );
};

export function toEntry(entry: Activity): ActivityEntry {
  const { id, at, actor, via, personId } = entry;
  const { before, person, after } = describeActivity(entry);
  return {
    id,
    at: at.toISOString(),
    actor,
    via,
    before,
    person: personId && person ? { id: personId, email: person } : null,
    after,
  };
}
