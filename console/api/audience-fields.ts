import * as z from "zod/mini";
import type { AudienceFields } from "#console/contract/messages.ts";
import type { Audience } from "#core/mail/audience.ts";
import { id, text, yesOrNo } from "./filter.ts";

/** Not empty: that would match nobody. */
const name = text.check(z.minLength(1));
/** A day, or a time in UTC. */
const date = z.pipe(
  z.union([z.iso.date(), z.iso.datetime()]),
  z.transform((value) => new Date(value)),
);
export const count = z.coerce.number().check(z.int(), z.gte(1), z.lt(2 ** 31));

/** Strict: dropping a filter that it doesn't know would write to more people. */
export const audienceSchema = z.strictObject({
  since: z.optional(date),
  until: z.optional(date),
  company: z.optional(name),
  newsletter: z.optional(yesOrNo),
  confirmed: z.optional(yesOrNo),
  rejected: z.optional(yesOrNo),
  invited: z.optional(yesOrNo),
  wave: z.optional(z.union([id, date])),
  source: z.optional(name),
  medium: z.optional(name),
  campaign: z.optional(name),
  next: z.optional(count),
});

type ParsedAudience = z.infer<typeof audienceSchema>;

/** Without the fields that are undefined, so that it equals what is stored. */
export function toAudience(parsed: ParsedAudience): Audience {
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}

export function toAudienceFields(audience: Audience): AudienceFields {
  return Object.fromEntries(Object.entries(audience).map(([name, value]) => [name, toField(value)]));
}

function toField(value: Audience[keyof Audience]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value instanceof Date ? value.toISOString().replace("T00:00:00.000Z", "") : String(value);
}
