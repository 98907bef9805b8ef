import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { bounceKind, email, parseAs, type Reading, type Received, text, time } from "./event.ts";

const MAX_AGE_S = 300;

/**
 * Standard Webhooks 1.0.0. Svix, which signs for Resend, calls the same headers `svix-…`. Not by `standardwebhooks`, which
 * hashes in JavaScript: 2 ms for 256 KiB that anyone may post, instead of 0.2, and three packages.
 */
function isSigned(prefix: "webhook" | "svix", { headers, body, secret }: Received): boolean {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => `${headers[`${prefix}-${name}`]}`);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= MAX_AGE_S)) return false;
  const hmac = createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
  const expected = hmac.update(`${id}.${timestamp}.`).update(body).digest();
  const given = (signatures ?? "").split(" ").filter((signature) => signature.startsWith("v1,"));
  return given
    .map((signature) => Buffer.from(signature.slice(3), "base64"))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

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
