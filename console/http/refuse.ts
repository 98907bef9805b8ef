import type { FastifyReply } from "fastify";
import { sendProblem } from "#core/http/problem.ts";
import type { Refusal } from "#core/messages/message-lock.ts";

const STATUS = { invalid: 422, illegal: 409 } satisfies Record<Refusal["refused"], number>;

export const refuse = (reply: FastifyReply, { refused, detail }: Refusal) =>
  sendProblem(reply, STATUS[refused], detail);
