import * as z from "zod/mini";
import { isSigned } from "#core/http/signature.ts";
import { bounceKind, email, parseAs, type Reading, type Received, text, time } from "./event.ts";

const bounce = z.object({ type: z.optional(text), message: z.optional(text) });
const data = z.object({ to: z.optional(z.array(email)), bounce: z.optional(bounce) });
const resend = z.object({ type: text, created_at: time, data });

export function readResend(received: Received): Reading {
  if (!isSigned("svix", received)) return "unverified";
  const event = parseAs(resend, received.body);
  if (!event) return "malformed";
  const { to = [], bounce } = event.data;
  const isBounce = event.type === "email.bounced";
  if (!isBounce && event.type !== "email.complained") return [];
  const kind = isBounce ? bounceKind(bounce?.type === "Permanent", bounce?.message) : "complaint";
  return to.map((address) => ({ email: address, kind, at: event.created_at }));
}

const report = z.object({ email, status: z.optional(text) });
const generic = z.object({ type: z.enum(["bounce", "complaint"]), timestamp: time, data: report });

/** For every other provider: `{"type": "bounce", "timestamp": …, "data": {"email": …, "status": "5.1.1"}}`. */
export function readGeneric(received: Received): Reading {
  if (!isSigned("webhook", received)) return "unverified";
  const event = parseAs(generic, received.body);
  if (!event) return "malformed";
  const { email, status } = event.data;
  return [{ email, kind: event.type === "complaint" ? event.type : bounceKind(true, status), at: event.timestamp }];
}
