import * as z from "zod/mini";
import { MAX_PAGE_SIZE, PAGE_SIZE } from "#console/contract/people.ts";
import { filterSchemas } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { countPeople } from "#core/people/people-count.ts";
import { PLACE_FORMAT, readPeoplePage } from "#core/people/people-page.ts";

const MAX_INSIDE_MS = 2000;

const filterSchema = z.strictObject(filterSchemas());

const pageSchema = z.strictObject({
  ...filterSchema.shape,
  before: z.optional(z.string().check(z.regex(PLACE_FORMAT))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_PAGE_SIZE)), PAGE_SIZE),
});

export const peopleRoutes: ConsoleRoutes = async (app, { db, reads = db }) => {
  const withPage = needs("read", { querystring: pageSchema }, "list");
  app.get("/api/people", withPage, ({ query: { before, limit, ...filter } }) =>
    readPeoplePage(reads, filter, { before, limit, insideMs: MAX_INSIDE_MS }),
  );

  const withFilter = needs("read", { querystring: filterSchema }, "count");
  app.get("/api/people/count", withFilter, ({ query }) => countPeople(reads, query));
};
