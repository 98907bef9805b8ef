import { type RawBuilder, sql } from "kysely";
import type { PersonColumns } from "#core/database/tables.ts";

/** The form's text fields by column. The type requires every new field to be exported. */
const FORM_COLUMNS: Record<Exclude<keyof PersonColumns, "email_key" | "newsletter">, string> = {
  email: "email",
  first_name: "firstName",
  last_name: "lastName",
  company: "company",
};

export const EXPORT_COLUMNS: Record<string, RawBuilder<unknown>> = {
  ...Object.fromEntries(Object.entries(FORM_COLUMNS).map(([column, name]) => [name, sql.ref(column)])),
  utmSource: sql`utm ->> 'source'`,
  utmMedium: sql`utm ->> 'medium'`,
  utmCampaign: sql`utm ->> 'campaign'`,
  utmTerm: sql`utm ->> 'term'`,
  utmContent: sql`utm ->> 'content'`,
  newsletter: sql`newsletter`,
  joinedAt: sql`joined_at`,
  confirmedAt: sql`confirmed_at`,
  invitedAt: sql`invited_at`,
  rejectedAt: sql`rejected_at`,
  unsubscribedAt: sql`case when not newsletter then withdrawn_at end`,
};
