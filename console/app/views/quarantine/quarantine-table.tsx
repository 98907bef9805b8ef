import { type ChangeEvent, type KeyboardEvent, type RefObject, useRef } from "react";
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
  const anchor = useRef("");
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
                    <SelectOne entries={entries} index={index} selection={selection} anchor={anchor} />
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

interface SelectOneProps {
  entries: QuarantineEntry[];
  index: number;
  selection: Selection;
  /** The id of the entry clicked last. Shift-click selects everything between it and the clicked entry. */
  anchor: RefObject<string>;
}

/** Space selects, arrow keys move between rows, and Shift with an arrow key extends the selection. */
function SelectOne({ entries, index, selection, anchor }: SelectOneProps) {
  const { id = "", email = "" } = entries[index] ?? {};
  const choose = (from: number, to: number, isChosen: boolean) => {
    const next = new Set(selection.chosen);
    for (const entry of entries.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      if (isChosen) next.add(entry.id);
      else next.delete(entry.id);
    }
    selection.onChange(next);
  };
  const onChange = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isRange = "shiftKey" in nativeEvent && nativeEvent.shiftKey === true;
    const from = isRange ? entries.findIndex((entry) => entry.id === anchor.current) : -1;
    choose(from === -1 ? index : from, index, target.checked);
    anchor.current = id;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.currentTarget.closest("tr");
    const neighbor = step === 1 ? row?.nextElementSibling : row?.previousElementSibling;
    if (!step || !neighbor) return;
    event.preventDefault();
    neighbor.querySelector("input")?.focus();
    if (event.shiftKey) choose(index, index + step, true);
  };
  return (
    <input
      type="checkbox"
      aria-label={`Select ${email}`}
      checked={selection.chosen.has(id)}
      onChange={onChange}
      onKeyDown={onKeyDown}
    />
  );
}
