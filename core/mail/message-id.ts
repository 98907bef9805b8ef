import { hmac, type Keys } from "#core/keys.ts";
import type { Delivery } from "./deliveries.ts";

/** The same on every attempt to send a copy, so that a duplicate is recognized. */
export function messageIdHeader({ messageIds }: Keys, delivery: Delivery, origin: string): string {
  const { messageId, signUpId, copy } = delivery;
  const name = hmac(messageIds, "mail", `${messageId} ${signUpId} ${copy}`).toString("hex").slice(0, 32);
  return `<${name}@${new URL(origin).hostname}>`;
}
