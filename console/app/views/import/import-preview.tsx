import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import type { ImportPreview } from "#console/contract/imports.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";

type Finding = keyof ImportPreview["counts"];

const REFUSALS: Partial<Record<Finding, string>> = {
  invalid: "invalid",
  unsubscribed: "unsubscribed",
  rejected: "suppressed",
  "erased before": "erased before",
};

interface PreviewProps extends ImportPreview {
  isPending: boolean;
  onImport: () => void;
}

export function Preview({ columns, counts, refused, isPending, onImport }: PreviewProps) {
  const { new: people = 0, known = 0 } = counts;
  const reasons = Object.entries(REFUSALS).flatMap(([finding, words]) => {
    const count = counts[finding as Finding];
    return count ? { count, text: `${formatNumber(count)} ${words}` } : [];
  });
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  const used = columns.flatMap(({ title, becomes }) => (becomes ? [[becomes, `from “${title}”`]] : []));
  const ignored = columns.flatMap(({ title, becomes }) => (becomes || !title ? [] : title));
  const summary = [
    `${formatNumber(people)} new`,
    known > 0 && `${formatNumber(known)} already on the list`,
    total > 0 && `${formatNumber(total)} refused: ${reasons.map(({ text }) => text).join(", ")}`,
  ];
  return (
    <section className="day" aria-labelledby="preview">
      <h2 id="preview">
        <span role="status">{summary.filter(Boolean).join(", ")}</span>
      </h2>
      <KeyValueList
        values={{ ...Object.fromEntries(used), ...(ignored.length > 0 && { "Ignored columns": ignored.join(", ") }) }}
      />
      <button type="button" className="primary" disabled={isPending || people === 0} onClick={onImport}>
        Import {pluralize(people, "person", "people")}
      </button>
      {isPending && <p role="status">Importing people…</p>}
      {total > 0 && (
        <ul className="history" aria-label="Refused rows">
          {refused.map(({ row, finding, text }) => (
            <li key={row}>
              Row {formatNumber(row)}: <bdi>{text}</bdi>
              {finding !== "invalid" && `, ${REFUSALS[finding]}`}
            </li>
          ))}
          {total > refused.length && <li>And {pluralize(total - refused.length, "more row")}.</li>}
        </ul>
      )}
    </section>
  );
}
