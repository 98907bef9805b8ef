import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { PAGE_SIZE } from "#console/contract.ts";
import { estimateMatching, readPeoplePage } from "#core/waitlist/people-page.ts";
import { readTotals } from "#core/waitlist/totals.ts";
import { filterSchema, id } from "./filter.ts";
import type { ConsoleParts } from "./parts.ts";

export const peopleRoutes: FastifyPluginAsyncZod<ConsoleParts> = async (app, { db }) => {
  app.get(
    "/api/people",
    {
      schema: { querystring: z.object({ ...filterSchema.shape, before: z.optional(id) }) },
    },
    ({ query: { before, ...filter } }) => readPeoplePage(db, filter, { before, limit: PAGE_SIZE }),
  );

  app.get("/api/people/count", { schema: { querystring: filterSchema } }, async ({ query }) =>
    Object.values(query).some((value) => value !== undefined)
      ? { people: await estimateMatching(db, query), isEstimate: true }
      : { people: (await readTotals(db.pool)).totalUsers, isEstimate: false },
  );
};
