import type { z } from "zod/mini";

/** A field can break several rules; a page shows the first of them. */
export function firstErrors<Field extends string>({ issues }: z.core.$ZodError<Record<Field, unknown>>) {
  const byField = issues.toReversed().map(({ path: [field], message }) => [field, message]);
  return Object.fromEntries(byField) as Partial<Record<Field, string>>;
}
