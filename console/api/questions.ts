import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { sendProblem } from "#core/http/problem.ts";
import {
  addQuestion,
  editQuestion,
  moveQuestionUp,
  type QuestionRefusal,
  questionSchema,
  retireQuestion,
} from "#core/members/edit-questions.ts";
import { readQuestions } from "#core/people/questions.ts";

const REFUSALS: Record<QuestionRefusal, string> = {
  full: "Three questions are active. Retire one first.",
  missing: "Someone else has just retired or moved this question.",
  newer: "Someone else has just edited this question. Close this, and look at their version first.",
  answered:
    "People have answered, so you can reword it and add choices at the end, but not remove any. Or retire it, and write another question.",
};

const respond = (reply: FastifyReply, refusal: QuestionRefusal | undefined) =>
  refusal ? sendProblem(reply, 409, REFUSALS[refusal]) : reply.code(204).send();

/** Accepts any text; `questionSchema` then validates it, so that the operator sees that schema's messages. */
const typed = z.object({ text: z.string(), choices: z.array(z.string()), isMultiple: z.boolean() });

export const questionRoutes: ConsoleRoutes = async (app, { db }) => {
  app.get("/api/questions", needs("read"), () => readQuestions(db));

  app.post("/api/questions", needs("write", { body: typed }), async ({ body, operator }, reply) => {
    const { data, error } = questionSchema.safeParse(body);
    if (!data) return sendProblem(reply, 400, `${error.issues[0]?.message}.`);
    return respond(reply, await addQuestion(db, operator.actor, data));
  });

  const withChanges = needs("write", { ...withId, body: z.extend(typed, { version: z.int() }) });
  app.post("/api/questions/:id/edit", withChanges, async ({ params, body, operator }, reply) => {
    const { data, error } = questionSchema.safeParse(body);
    if (!data) return sendProblem(reply, 400, `${error.issues[0]?.message}.`);
    return respond(reply, await editQuestion(db, operator.actor, params.id, body.version, data));
  });

  for (const [name, change] of Object.entries({ retire: retireQuestion, "move-up": moveQuestionUp })) {
    app.post(`/api/questions/:id/${name}`, needs("write", withId), async ({ params, operator }, reply) =>
      respond(reply, await change(db, operator.actor, params.id)),
    );
  }
};
