import { useRef } from "react";
import { FullName } from "#console/app/ui/full-name.tsx";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Cells, type Columns, TableHead } from "#console/app/ui/table.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import { useRows } from "#console/app/ui/use-rows.ts";
import type { QuarantineEntry } from "#console/contract/people.ts";

interface Selection {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

const COLUMNS: Columns<QuarantineEntry> = {
  Email: ({ email }) => email,
  Name: FullName,
  Company: ({ company }) => <bdi>{company}</bdi>,
  "Hidden field": ({ website }) => <bdi title={website}>{website}</bdi>,
  Caught: ({ caughtAt }) => <Ago at={caughtAt} />,
};

/** Virtualized, because there can be ten thousand entries. */
export function QuarantineTable({ entries, selection }: { entries: QuarantineEntry[]; selection?: Selection }) {
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useRows(entries.length, scroller);
  return (
    <ScrollRegion aria-label="Quarantine" ref={scroller}>
      <table className="quarantine" aria-rowcount={entries.length + 1}>
        <TableHead columns={Object.keys(COLUMNS)}>
          {selection && (
            <th scope="col">
              <SelectAll entries={entries} selection={selection} />
            </th>
          )}
        </TableHead>
        <tbody style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const entry = entries[index];
            if (!entry) return null;
            return (
              <tr key={entry.id} style={{ transform: `translateY(${start}px)` }} aria-rowindex={index + 2}>
                {selection && (
                  <td>
                    <SelectOne entry={entry} selection={selection} />
                  </td>
                )}
                <Cells row={entry} columns={COLUMNS} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function SelectAll({ entries, selection }: { entries: QuarantineEntry[]; selection: Selection }) {
  const chosen = entries.filter(({ id }) => selection.chosen.has(id)).length;
  return (
    <input
      type="checkbox"
      aria-label="Select all"
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && chosen < entries.length;
      }}
      checked={chosen === entries.length}
      onChange={({ target }) => selection.onChange(new Set(target.checked ? entries.map(({ id }) => id) : []))}
    />
  );
}

function SelectOne({
  entry: { id, email },
  selection: { chosen, onChange },
}: {
  entry: QuarantineEntry;
  selection: Selection;
}) {
  const others = [...chosen].filter((other) => other !== id);
  return (
    <input
      type="checkbox"
      aria-label={`Select ${email}`}
      checked={chosen.has(id)}
      onChange={({ target }) => onChange(new Set(target.checked ? [...others, id] : others))}
    />
  );
}
