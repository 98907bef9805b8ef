import * as z from "zod/mini";
import { withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { sendProblem } from "#core/http/problem.ts";
import { addEndpoint, changeEndpoint, findRefusal, listEndpoints, readAttempts } from "#core/webhooks/endpoints.ts";

const MAX_ATTEMPTS = 5;

export const webhookRoutes: ConsoleRoutes = async (app, { db, webhookHosts = [] }) => {
  const withWebhook = needs("administer", withId);
  app.get("/api/webhooks", needs("administer"), () => listEndpoints(db));
  app.get("/api/webhooks/:id/deliveries", withWebhook, ({ params }) => readAttempts(db, params.id, MAX_ATTEMPTS));

  const body = z.object({
    url: z.string().check(z.maxLength(2000)),
    sends: z.enum(["pseudonyms", "contact", "digest"]),
  });
  app.post("/api/webhooks", needs("administer", { body }), async ({ body, operator }, reply) => {
    const refusal = findRefusal(webhookHosts, body);
    return refusal ? sendProblem(reply, 422, refusal) : addEndpoint(db, operator.actor, body);
  });

  for (const change of ["test", "pause", "resume", "rotate", "remove"] as const) {
    app.post(`/api/webhooks/:id/${change}`, withWebhook, async ({ params: { id }, operator }, reply) => {
      const changed = await changeEndpoint(db, operator.actor, change, id);
      return changed ?? sendProblem(reply, 404, "This webhook was removed.");
    });
  }
};
