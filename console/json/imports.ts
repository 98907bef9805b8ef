import { formatNumber } from "#core/text/format.ts";
import type { ReadImport } from "#core/transfer/import.ts";

const MAX_LISTED = 20;

export function toPreview({ columns, rows }: ReadImport) {
  const { new: people = [], known = [], ...others } = Object.groupBy(rows, ({ finding }) => finding);
  const refused = rows.filter(({ finding }) => finding in others);
  const reasons = Object.entries(others).map(([name, those]) => `${formatNumber(those.length)} ${name}`);
  return {
    people: people.length,
    counts: [
      `${formatNumber(people.length)} new`,
      ...(known.length ? [`${formatNumber(known.length)} already on the list`] : []),
      ...(refused.length ? [`${formatNumber(refused.length)} refused: ${reasons.join(", ")}`] : []),
    ].join(", "),
    refused: refused.slice(0, MAX_LISTED).map(({ row, finding, text }) => {
      return `Row ${formatNumber(row)}: ${finding === "invalid" ? text : `${text}, ${finding}`}`;
    }),
    others: Math.max(0, refused.length - MAX_LISTED),
    columns: columns.map(({ title, field }) => ({ title, becomes: field?.label })),
  };
}
