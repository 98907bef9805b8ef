import * as z from "zod/mini";
import type { Database } from "#core/database/connect.ts";
import { addEndpoint, changeEndpoint, findRefusal, listEndpoints, readAttempts } from "#core/hooks/endpoints.ts";
import { withId } from "./filter.ts";
import { needs } from "./guard.ts";
import type { ConsoleRoutes } from "./parts.ts";

const MAX_ATTEMPTS = 5;

export const hookRoutes: ConsoleRoutes = async (app, { db, hookHosts = [] }) => {
  app.get("/api/hooks", needs("administer"), () => readHooks(db));

  const body = z.object({
    url: z.string().check(z.maxLength(2000)),
    sends: z.enum(["pseudonyms", "contact", "digest"]),
  });
  app.post("/api/hooks", { ...needs("administer"), schema: { body } }, async ({ body, operator }, reply) => {
    const refusal = findRefusal(hookHosts, body);
    return refusal ? reply.code(422).send({ detail: refusal }) : addEndpoint(db, operator.actor, body);
  });

  for (const change of ["test", "pause", "resume", "rotate", "remove"] as const) {
    const options = { ...withId, ...needs("administer") };
    app.post(`/api/hooks/:id/${change}`, options, async ({ params: { id }, operator }, reply) => {
      const changed = await changeEndpoint(db, operator.actor, change, id);
      return changed ?? reply.code(404).send({ detail: "This webhook was removed." });
    });
  }
};

export async function readHooks(db: Database) {
  const endpoints = await listEndpoints(db);
  return Promise.all(
    endpoints.map(async (each) => ({ ...each, attempts: await readAttempts(db, each.id, MAX_ATTEMPTS) })),
  );
}
