import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { MAX_PAGE_SIZE, PAGE_SIZE } from "#console/contract.ts";
import { setNewsletter } from "#core/members/store.ts";
import { addressHash, erase } from "#core/waitlist/erase.ts";
import { countPeople } from "#core/waitlist/people-count.ts";
import { findPerson, readPeoplePage } from "#core/waitlist/people-page.ts";
import { filterSchema, id } from "./filter.ts";
import type { ConsoleParts } from "./parts.ts";

const pageSchema = z.object({
  ...filterSchema.shape,
  before: z.optional(id),
  last: z.optional(id),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_PAGE_SIZE)), PAGE_SIZE),
});
const withId = { schema: { params: z.object({ id }) } } as const;

export const peopleRoutes: FastifyPluginAsyncZod<ConsoleParts> = async (app, { db, actor, keys, isReadOnly }) => {
  app.get("/api/people", { schema: { querystring: pageSchema } }, ({ query: { before, last, limit, ...filter } }) =>
    readPeoplePage(db, filter, { before, last, limit }),
  );

  app.get("/api/people/count", { schema: { querystring: filterSchema } }, ({ query }) => countPeople(db, query));

  app.get("/api/people/:id", withId, async ({ params }, reply) => {
    const person = await findPerson(db, params.id);
    return person ?? reply.code(404).send({ detail: "This person isn't on the list. They may have left." });
  });

  if (isReadOnly) return;

  app.post("/api/people/:id/unsubscribe", withId, async ({ params }, reply) => {
    await setNewsletter(db, actor, params.id, false);
    return reply.code(204).send();
  });

  app.post(
    "/api/people/:id/erase",
    { ...withId, schema: { ...withId.schema, body: z.object({ address: z.string() }) } },
    async ({ params, body }, reply) => {
      const person = await findPerson(db, params.id);
      if (!person || person.email !== body.address) {
        return reply.code(409).send({ detail: "The address doesn't match. Nobody was erased." });
      }
      if (!keys) return reply.code(409).send({ detail: "Set the servers' SECRET to erase people." });
      await erase(db, actor, person.emailKey, addressHash(keys, person.emailKey));
      return reply.code(204).send();
    },
  );
};
