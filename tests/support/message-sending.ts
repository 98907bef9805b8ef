import { expect } from "vitest";
import { startMessage } from "#core/messages/message-states.ts";
import { type Draft, readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "./an-operator.ts";
import { useMail } from "./mail-worker.ts";
import { prepareNews } from "./messages.ts";

/** For a whole test file: mail is on, and what was sent is read from the SMTP server and the message. */
export function useMessageSending() {
  const mail = useMail();
  /** Prepares and starts a message, and returns its id. */
  async function send(changes: Partial<Draft> = {}): Promise<string> {
    const id = await prepareNews(mail.db, changes);
    await startMessage(mail.db, OPERATOR, id);
    return id;
  }
  const recipients = () => mail.smtp.mails.map(({ to }) => to?.[0]?.address ?? "");
  const subjects = () => mail.smtp.mails.map(({ subject }) => subject);
  const stateOf = async (id: string) => (await readMessage(mail.db, id))?.state;
  const progressOf = async (id: string) => (await readMessage(mail.db, id))?.progress;
  const isDone = (id: string) => expect.poll(() => stateOf(id), { timeout: 20_000 }).toBe("done");
  return { mail, send, recipients, subjects, stateOf, progressOf, isDone };
}
