import { type RawBuilder, sql } from "kysely";
import type { PersonColumns } from "#core/database/tables.ts";

export interface ExportColumn {
  name: string;
  /** Literals are text that needs no quotes in either format. */
  type: "text" | "literal" | "timestamp";
  value: RawBuilder<unknown>;
}

/** The text fields of the form, by column. The type makes every new field part of the export. */
const FORM_COLUMNS: Record<Exclude<keyof PersonColumns, "email_key" | "newsletter">, string> = {
  email: "email",
  first_name: "firstName",
  last_name: "lastName",
  company: "company",
};

export const EXPORT_COLUMNS: ExportColumn[] = [
  ...Object.entries(FORM_COLUMNS).map(([column, name]) => ({ name, type: "text" as const, value: sql.ref(column) })),
  { name: "utmSource", type: "text", value: sql`utm ->> 'source'` },
  { name: "utmMedium", type: "text", value: sql`utm ->> 'medium'` },
  { name: "utmCampaign", type: "text", value: sql`utm ->> 'campaign'` },
  { name: "utmTerm", type: "text", value: sql`utm ->> 'term'` },
  { name: "utmContent", type: "text", value: sql`utm ->> 'content'` },
  { name: "newsletter", type: "literal", value: sql`newsletter::text` },
  { name: "joinedAt", type: "timestamp", value: sql`joined_at` },
  { name: "confirmedAt", type: "timestamp", value: sql`confirmed_at` },
  { name: "invitedAt", type: "timestamp", value: sql`invited_at` },
  { name: "rejectedAt", type: "timestamp", value: sql`rejected_at` },
  { name: "unsubscribedAt", type: "timestamp", value: sql`case when not newsletter then withdrawn_at end` },
];
