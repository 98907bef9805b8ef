import * as z from "zod/mini";
import type { TestResult } from "#console/contract/messages.ts";
import { id, withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { refuse } from "#console/http/refuse.ts";
import { toMessage } from "#console/json/messages.ts";
import { sendProblem } from "#core/http/problem.ts";
import { REMINDER } from "#core/mail/recipients.ts";
import { readMail } from "#core/mail/switch.ts";
import { illegal, NEWER } from "#core/messages/message-lock.ts";
import { changeMessage } from "#core/messages/message-states.ts";
import { checkDraft, readMessage } from "#core/messages/messages.ts";
import { sendTest } from "#core/messages/preview.ts";
import { draftForRest, readDraftAudience, sendDraft } from "#core/messages/send-draft.ts";
import { addressSchema } from "#core/people/address.ts";
import { NO_MESSAGE, textFields, version } from "./messages.ts";

const CANT_TEST = "This console can't send test emails.";
// The team console's database role isn't allowed to change deliveries.
const CANT_MOVE = "This console can't do this.";
const MAIL_IS_OFF = "Mail is off. Nothing was sent.";

export const messageActions: ConsoleRoutes = async (app, { db, mail, invitations }) => {
  // Responds once the audience is complete, which can take seconds; until then, the page polls the progress.
  const body = z.object({ version, at: z.optional(z.iso.datetime()) });
  const withVersion = needs("write", { ...withId, body });
  app.post("/api/messages/:id/start", withVersion, async ({ params, body: { version, at }, operator }, reply) => {
    const message = await readMessage(db, params.id);
    if (!message) return sendProblem(reply, 404, NO_MESSAGE);
    const mailOn = await readMail(db);
    if (!mailOn) return sendProblem(reply, 409, MAIL_IS_OFF);
    if (message.state !== "draft") return refuse(reply, illegal("start", message.id, message.state));
    if (message.version !== version) return refuse(reply, illegal("start", message.id, NEWER));
    const problem = checkDraft(message, invitations);
    if (problem) return refuse(reply, problem);
    if ((await readDraftAudience(db, message)).recipients === 0) {
      return sendProblem(reply, 409, "Nobody would get this message. It's still a draft.");
    }
    const started = await sendDraft(db, mailOn, operator.actor, message, at === undefined ? at : new Date(at));
    return "refused" in started ? refuse(reply, started) : reply.code(204).send();
  });

  for (const action of ["pause", "resume", "cancel"] as const) {
    app.post(`/api/messages/:id/${action}`, needs("write", withId), async ({ params: { id }, operator }, reply) => {
      if (id === REMINDER && action === "resume" && !(await readMail(db))) return sendProblem(reply, 409, MAIL_IS_OFF);
      const changed = await changeMessage(db, operator.actor, id, action);
      return "refused" in changed ? refuse(reply, changed) : reply.code(204).send();
    });
  }

  app.post("/api/messages/:id/rest", needs("write", withId), async ({ params, operator }, reply) => {
    if (mail && !("smtpUrl" in mail)) return sendProblem(reply, 409, CANT_MOVE);
    const draft = await draftForRest(db, operator.actor, params.id);
    return "refused" in draft ? refuse(reply, draft) : toMessage(draft);
  });

  const withAddress = needs("write", {
    body: z.object({ ...textFields, id: z.exactOptional(id), address: addressSchema }),
  });
  app.post("/api/message-tests", withAddress, async ({ body, operator }, reply): Promise<TestResult> => {
    const { address, ...message } = body;
    if (!mail || !("smtpUrl" in mail)) return sendProblem(reply, 409, CANT_TEST);
    const result = await sendTest(db, operator.actor, message, address, mail);
    return "refused" in result ? refuse(reply, result) : result;
  });
};
