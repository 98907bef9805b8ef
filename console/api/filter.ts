import * as z from "zod/mini";

export const id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, "must be an id"));
/** PostgreSQL can't store U+0000, and no value has a control character. */
export const text = z.string().check(z.maxLength(254), z.regex(/^[^\p{Cc}]*$/u));
export const yesOrNo = z.pipe(
  z.enum(["yes", "no"]),
  z.transform((value) => value === "yes"),
);
const day = z.pipe(
  z.iso.date(),
  z.transform((value) => new Date(`${value}T00:00Z`)),
);

/** The filters of the list, as they stand in the URL of a view. */
export const filterSchema = z.object({
  search: z.optional(text),
  since: z.optional(day),
  until: z.optional(day),
  company: z.optional(text),
  newsletter: z.optional(yesOrNo),
  confirmed: z.optional(yesOrNo),
  rejected: z.optional(yesOrNo),
  invited: z.optional(yesOrNo),
  unsubscribed: z.optional(yesOrNo),
  wave: z.optional(id),
  source: z.optional(text),
  medium: z.optional(text),
  campaign: z.optional(text),
});
