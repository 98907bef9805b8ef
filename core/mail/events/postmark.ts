import { hash, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import type { ReportKind } from "#core/mail/suppression/reports.ts";
import { bounceKind, email, parseAs, type Reading, type Received, text, time } from "./event.ts";

const maybe = z.optional(text);
const bounce = { Type: maybe, Details: maybe, Email: z.optional(email), BouncedAt: z.optional(time) };
const record = z.object({ RecordType: text, ...bounce });

/** Postmark's types of bounces. A block is our fault. Unlisted types, such as vacation replies, are ignored. */
const KINDS = new Map<string | undefined, ReportKind>([
  ["BadEmailAddress", "bounce"],
  ["SoftBounce", "soft bounce"],
  ["Transient", "soft bounce"],
  ["Blocked", "refused"],
  ["SpamComplaint", "complaint"],
]);

const digest = (password: string) => hash("sha256", password, "buffer");

/** Postmark sends the password in its webhook's URL, as basic authentication with any user. */
export function readPostmark({ body, secret, headers: { authorization = "" } }: Received): Reading {
  const credentials = Buffer.from(String(authorization).replace(/^basic /i, ""), "base64").toString();
  if (!timingSafeEqual(digest(credentials.replace(/^[^:]*:/, "")), digest(secret))) return "unverified";
  const event = parseAs(record, body);
  if (!event) return "malformed";
  const type = event.RecordType === "Bounce" ? event.Type : event.RecordType;
  const kind = type === "HardBounce" ? bounceKind(true, event.Details) : KINDS.get(type);
  return kind && event.Email ? [{ email: event.Email, kind, at: event.BouncedAt ?? new Date() }] : [];
}
