import * as z from "zod/mini";
import type { Database } from "#core/database/connect.ts";
import type { SignedRequest } from "#core/http/signature.ts";
import { failureOf } from "#core/mail/failures.ts";
import type { ReportKind } from "#core/mail/suppression/reports.ts";
import { looksLikeAddress } from "#core/people/address.ts";

export interface Received extends SignedRequest {
  db: Database;
  onSubscription(url: string): void;
}

export interface MailEvent {
  email: string;
  kind: ReportKind;
  at: Date;
}

/** A request's events, or why there are none. "later": its certificate isn't here yet. */
export type Reading = MailEvent[] | "unverified" | "malformed" | "later";

export const text = z.string();
export const email = text.check(z.maxLength(320), z.refine(looksLikeAddress));
/** A time that is invalid or in the future becomes now. */
const toDate = z.transform((iso: string) => new Date(Math.min(Date.now(), Date.parse(iso) || Date.now())));
export const time = z.pipe(text, toDate);

export function parseAs<Output>(schema: z.ZodMiniType<Output>, json: Buffer | string): Output | undefined {
  try {
    return schema.safeParse(JSON.parse(json.toString())).data;
  } catch {
    return undefined;
  }
}

/** Judges by the status in one of the texts, or else by the provider's own classification. */
export function bounceKind(isPermanent: boolean, ...texts: (string | undefined)[]): ReportKind {
  const stated = texts.map((each = "") => failureOf(each)).find(Boolean);
  return isPermanent ? (stated ?? "bounce") : "soft bounce";
}
