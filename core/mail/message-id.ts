import { hmac, type Keys } from "#core/keys.ts";
import type { Delivery } from "./deliveries.ts";
import { CONFIRMATION } from "./recipients.ts";

/**
 * The same on every attempt to send a copy, so that a duplicate is recognized. Confirmations have the Message-ID that
 * version 1.0.0 would have sent.
 */
export function messageIdHeader({ messageIds }: Keys, delivery: Delivery, origin: string): string {
  const { messageId, signUpId, copy } = delivery;
  const identity = messageId === CONFIRMATION ? `${signUpId} ${copy}` : `${messageId} ${signUpId} ${copy}`;
  const name = hmac(messageIds, "mail", identity).toString("hex").slice(0, 32);
  return `<${name}@${new URL(origin).hostname}>`;
}
