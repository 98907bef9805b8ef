import type { Finding, ImportColumn, ImportRow } from "#core/transfer/import.ts";

const MAX_REFUSED = 20;

/** The first refused rows say why; the rest are only counted. */
export function toPreview({ columns, rows }: { columns: ImportColumn[]; rows: ImportRow[] }) {
  const counts: Partial<Record<Finding, number>> = {};
  for (const { finding } of rows) counts[finding] = (counts[finding] ?? 0) + 1;
  const refused = rows.filter(({ finding }) => finding !== "new" && finding !== "known");
  return {
    columns: columns.map(({ title, field }) => ({ title, becomes: field?.label })),
    counts,
    refused: refused.slice(0, MAX_REFUSED).map(({ row, finding, text }) => ({ row, finding, text })),
  };
}
