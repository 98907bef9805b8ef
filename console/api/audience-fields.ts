import * as z from "zod/mini";
import type { AudienceFields } from "#console/contract/messages.ts";
import type { Audience } from "#core/messages/audience.ts";
import { AUDIENCE_FILTERS } from "#core/people/filter-fields.ts";
import { filterSchemas } from "./filter.ts";

export const count = z.coerce.number().check(z.int(), z.gte(1), z.lt(2 ** 31));

export const audienceSchema = z.strictObject({ ...filterSchemas(AUDIENCE_FILTERS), next: z.exactOptional(count) });

export function toAudienceFields(audience: Audience): AudienceFields {
  return Object.fromEntries(Object.entries(audience).map(([name, value]) => [name, toField(value)]));
}

function toField(value: Audience[keyof Audience]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value instanceof Date ? value.toISOString().replace("T00:00:00.000Z", "") : String(value);
}
