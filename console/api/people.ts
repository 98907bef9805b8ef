import * as z from "zod/mini";
import { MAX_PAGE_SIZE, PAGE_SIZE } from "#console/contract/people.ts";
import { filterSchemas, withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { createReadLog } from "#console/http/read-log.ts";
import { readPerson } from "#console/json/people.ts";
import { sendProblem } from "#core/http/problem.ts";
import { countPeople } from "#core/people/people-count.ts";
import { PLACE_FORMAT, readPeoplePage } from "#core/people/people-page.ts";
import { MISSING } from "./person.ts";

const MAX_INSIDE_MS = 2000;
const TOO_MANY = "You have read 20,000 people in this hour. Export them, or ask someone who may.";

const filterSchema = z.strictObject(filterSchemas());

const pageSchema = z.strictObject({
  ...filterSchema.shape,
  before: z.optional(z.string().check(z.regex(PLACE_FORMAT))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_PAGE_SIZE)), PAGE_SIZE),
});

export const peopleRoutes: ConsoleRoutes = async (app, { db, reads = db }) => {
  const withPage = needs("read", { querystring: pageSchema }, "list");
  const logged = createReadLog(db);
  app.get("/api/people", withPage, async ({ query: { before, limit, ...filter }, operator }, reply) => {
    const read = () => readPeoplePage(reads, filter, { before, limit, insideMs: MAX_INSIDE_MS });
    return (await logged(operator.actor, read)) ?? sendProblem(reply, 429, TOO_MANY);
  });

  app.get("/api/people/:id", needs("read", withId), async ({ params, operator }, reply) => {
    const read = async () => ({ people: [await readPerson(db, params.id)].filter((person) => person !== undefined) });
    const found = await logged(operator.actor, read);
    if (!found) return sendProblem(reply, 429, TOO_MANY);
    return found.people[0] ?? sendProblem(reply, 404, MISSING);
  });

  const withFilter = needs("read", { querystring: filterSchema }, "count");
  app.get("/api/people/count", withFilter, ({ query }) => countPeople(reads, query));
};
