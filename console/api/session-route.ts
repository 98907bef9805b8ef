import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import type { Session } from "./session.ts";

export const sessionRoute: FastifyPluginAsyncZod<{ session: Session }> = async (app, { session }) => {
  app.post(
    "/api/session",
    { schema: { body: z.object({ token: z.string() }) }, config: { access: "page" } },
    async ({ body }, reply) => {
      const id = session.exchange(body.token);
      return id ? { id } : reply.code(401).send({ detail: "This link has been used. Start the console again." });
    },
  );
};
