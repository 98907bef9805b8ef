import * as queue from "#core/mail/queue/compose.ts";
import * as audiences from "#core/messages/audience.ts";
import type { Refusal } from "#core/messages/message-lock.ts";
import * as states from "#core/messages/message-states.ts";
import * as messages from "#core/messages/messages.ts";
import * as previews from "#core/messages/preview.ts";
import * as drafts from "#core/messages/send-draft.ts";

/** Wraps a function of the core for a test that needs it to succeed. */
const accepting =
  <Args extends unknown[], Value extends object | undefined>(work: (...args: Args) => Promise<Value | Refusal>) =>
  async (...args: Args): Promise<Value> => {
    const result = await work(...args);
    if (result && "refused" in result) throw new Error(`Refused: ${JSON.stringify(result)}`);
    return result as Value;
  };

export const createMessage = accepting(messages.createMessage);
export const editMessage = accepting(messages.editMessage);
export const prepareMessage = accepting(audiences.prepareMessage);
export const changeMessage = accepting(states.changeMessage);
export const sendDraft = accepting(drafts.sendDraft);
export const draftForRest = accepting(drafts.draftForRest);
export const composeMail = accepting(queue.composeMail);
export const renderPreview = accepting(async (...args: Parameters<typeof previews.renderPreview>) =>
  previews.renderPreview(...args),
);
