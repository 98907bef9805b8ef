import { type CommandResult, withMigratedDatabase } from "#cli/command.ts";
import type { Database } from "#core/database/connect.ts";
import { IllegalTransition } from "#core/messages/message-states.ts";
import { type Message, readMessage } from "#core/messages/messages.ts";

const STATES: Record<string, string> = {
  draft: "still a draft",
  "not prepared": "still a draft",
  sending: "being sent already",
};

/** Wraps a handler as the Commander action of a command whose first argument is a message's ID. */
export function withMessage<Args extends unknown[]>(
  handler: (db: Database, message: Message, ...args: Args) => Promise<CommandResult | undefined>,
) {
  return withMigratedDatabase<[string, ...Args]>(async (db, id, ...args) => {
    const message = await readMessage(db, id);
    if (!message) {
      return {
        text: `There is no message ${id}. To list all messages: npx waitlist message status`,
        json: null,
        isOk: false,
      };
    }
    try {
      return await handler(db, message, ...args);
    } catch (reason) {
      if (!(reason instanceof IllegalTransition)) throw reason;
      const state = reason.state ?? "deleted";
      return {
        text: `Nothing was changed: message ${id} is ${STATES[state] ?? state}.`,
        json: { id, state },
        isOk: false,
      };
    }
  });
}
