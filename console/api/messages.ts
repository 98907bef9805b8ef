import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import type { MessageSettings } from "#console/contract/messages.ts";
import { filterSchemas, withId } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { refuse } from "#console/http/refuse.ts";
import { toMessage, toReasons, toRow, toSplit } from "#console/json/messages.ts";
import { sendProblem } from "#core/http/problem.ts";
import { defaultInvitation } from "#core/invitations/invitation-text.ts";
import { bulkShare } from "#core/mail/queue/choose-mails.ts";
import { DEFAULT_CONFIRMATION } from "#core/mail/rendering/confirmation.ts";
import { DEFAULT_REMINDER } from "#core/mail/rendering/reminder.ts";
import { readMail } from "#core/mail/switch.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { createMessage, editMessage, listMessages, readDeliveryReasons, readMessage } from "#core/messages/messages.ts";
import { readDraftAudience } from "#core/messages/send-draft.ts";
import { AUDIENCE_FILTERS } from "#core/people/filter-fields.ts";

const MAX_LISTED = 200;

const kind = z.enum(["invitation", "announcement"]);
/** PostgreSQL can't store U+0000. */
const text = z.string().check(z.regex(/^[^\0]*$/));
export const textFields = { kind: z.enum([...kind.options, "confirmation", "reminder"]), subject: text, body: text };
export const version = z.int();
const count = z.coerce.number().check(z.int(), z.gte(1), z.lt(2 ** 31));
const audienceSchema = z.strictObject({ ...filterSchemas(AUDIENCE_FILTERS), next: z.exactOptional(count) });
const draftFields = {
  subject: text,
  body: text,
  audience: audienceSchema,
  pace: z.nullable(z.object({ count, unit: z.enum(["hour", "day"]) })),
  delay: z.exactOptional(z.nullable(z.int())),
};
export const NO_MESSAGE = "There is no such message.";

export const messageRoutes: ConsoleRoutes = async (app, { db, reads = db, mail, invitations }) => {
  const readWithId = needs("read", withId);

  app.get("/api/message-settings", needs("read"), async (): Promise<MessageSettings> => {
    const isMailed = (await readMail(db)) !== undefined;
    return {
      isMailed,
      canTest: isMailed && mail !== undefined && "smtpUrl" in mail,
      perMinute: mail ? bulkShare(mail.perMinute) : null,
      confirmation: DEFAULT_CONFIRMATION,
      reminder: DEFAULT_REMINDER,
      invitation: invitations ? defaultInvitation(invitations) : null,
    };
  });

  app.get("/api/messages", needs("read"), async () => (await listMessages(db, MAX_LISTED)).map(toRow));

  app.get("/api/messages/:id", readWithId, async ({ params }, reply) => {
    const message = await readMessage(db, params.id);
    return message ? toMessage(message) : sendProblem(reply, 404, NO_MESSAGE);
  });

  app.get("/api/messages/:id/reasons", readWithId, async ({ params }) =>
    toReasons(await readDeliveryReasons(db, params.id)),
  );

  app.get("/api/messages/:id/audience", needs("read", withId, "count"), async ({ params }, reply) => {
    const message = await readMessage(db, params.id);
    if (!message) return sendProblem(reply, 404, NO_MESSAGE);
    const { added, split } = await readDraftAudience(reads, message);
    return toSplit(split ?? { matching: 0, recipients: 0, refused: {} }, added);
  });

  const querystring = z.strictObject({ ...audienceSchema.shape, kind });
  app.get("/api/audience", needs("read", { querystring }, "count"), async ({ query: { kind, ...audience } }) =>
    toSplit(await splitAudience(reads, { kind, audience })),
  );

  const withDraft = needs("write", { body: z.object({ kind, ...draftFields }) });
  app.post("/api/messages", withDraft, async ({ body, operator }, reply) => {
    const created = await createMessage(db, operator.actor, body, invitations);
    return "refused" in created ? refuse(reply, created) : toMessage(created);
  });

  const withChanges = needs("write", { ...withId, body: z.object({ ...draftFields, version }) });
  app.post("/api/messages/:id", withChanges, async ({ params, body, operator }, reply) => {
    const { audience, version, ...text } = body;
    const message = await readMessage(db, params.id);
    if (!message) return sendProblem(reply, 404, NO_MESSAGE);
    // Passes the audience only if it changed, because editMessage() rejects any audience once preparation has started.
    const changes = isDeepStrictEqual(audience, message.audience) ? text : { ...text, audience };
    const edited = await editMessage(db, operator.actor, { ...message, version }, changes, invitations);
    return "refused" in edited ? refuse(reply, edited) : toMessage(edited);
  });
};
