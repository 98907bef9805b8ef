import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { STATS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { ALREADY_JOINED, INVALID_EMAIL, signUpSchema } from "#contract/sign-up.ts";
import { statsSchema } from "#contract/stats.ts";
import type { Database } from "#server/database/connect.ts";
import { problem, problemAnswer, sendProblem } from "#server/http/problem.ts";
import { join } from "./join.ts";
import { readTotals } from "./store.ts";

export const waitlistRoutes: FastifyPluginAsyncZod<{ db: Database }> = async (app, { db }) => {
  app.post(
    WAITLIST_PATH,
    {
      schema: {
        summary: "Join the waitlist",
        body: signUpSchema,
        response: { 201: statsSchema, "4xx": problemAnswer, "5xx": problemAnswer },
      },
    },
    async (request, reply) => {
      const outcome = await join(db, request.body);
      switch (outcome.kind) {
        case "joined":
        case "quarantined":
          return reply.code(201).header("cache-control", "no-store").send({ data: outcome.totals });
        case "already-joined":
          return sendProblem(reply, problem(409, { detail: `This email is ${ALREADY_JOINED}.` }));
        case "no-such-domain":
          return sendProblem(reply, problem(400, { errors: [{ field: "email", message: INVALID_EMAIL }] }));
      }
    },
  );

  app.get(
    STATS_PATH,
    { schema: { summary: "How many are on the list", response: { 200: statsSchema, "5xx": problemAnswer } } },
    async (_request, reply) => reply.header("cache-control", "no-store").send({ data: await readTotals(db) }),
  );
};
