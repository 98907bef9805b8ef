import { hmac, type Keys } from "#core/keys.ts";
import type { DueMail } from "./outbox.ts";

/** The same on every attempt to send a mail, so that a second copy is recognized as a duplicate. */
export function messageId({ messageIds }: Keys, { signUpId, number }: DueMail, origin: string): string {
  const name = hmac(messageIds, "mail", `${signUpId} ${number}`).toString("hex").slice(0, 32);
  return `<${name}@${new URL(origin).hostname}>`;
}
