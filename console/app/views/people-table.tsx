import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Empty, Failed, RefetchFailed } from "#console/app/ui/states.tsx";
import type { PersonRow } from "#console/contract.ts";
import { formatDate } from "#core/format.ts";
import { countRows, NOTHING_READ } from "./people-segments.ts";
import { statusOf } from "./status.ts";
import { usePeople } from "./use-people.ts";

const ROW_HEIGHT = 36;
/** Rows below what has been read, so that there is somewhere to scroll to. */
const PLACEHOLDERS = 30;

interface PeopleTableProps {
  /** The filters, as a query string. */
  query: string;
  selected: string | undefined;
  onOpen: (id: string) => void;
  /** The exact number of people, once the list has been read to its end. */
  onComplete: (people: number) => void;
}

/** The list, of any size: only visible rows are in the document, and only people near them in memory. */
export function PeopleTable({ query, selected, onOpen, onComplete }: PeopleTableProps) {
  const scroller = useRef<HTMLElement>(null);
  const [segments, setSegments] = useState(NOTHING_READ);
  const { isComplete, searchedTo } = segments;
  const known = countRows(segments);
  const virtualizer = useVirtualizer({
    count: isComplete ? known : known + PLACEHOLDERS,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { personAt, error, retry } = usePeople({ query, segments, setSegments, first, last });
  useEffect(() => {
    if (isComplete) onComplete(known);
  }, [isComplete, known]);
  if (error && known === 0) return <Failed reason={error} onRetry={retry} />;
  if (isComplete && known === 0) {
    return <Empty>{query ? "Nobody matches these filters." : "Nobody has signed up yet."}</Empty>;
  }
  return (
    <>
      {error && <RefetchFailed reason={error} onRetry={retry} />}
      <ScrollRegion label="People" ref={scroller}>
        <table aria-rowcount={isComplete ? known + 1 : -1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Email</th>
              <th scope="col">Name</th>
              <th scope="col">Company</th>
              <th scope="col">Status</th>
              <th scope="col">Source</th>
              <th scope="col">Joined</th>
            </tr>
          </thead>
          <tbody style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => (
              <Row
                key={index}
                index={index}
                top={start}
                person={personAt(index)}
                isSelected={personAt(index)?.id === selected && selected !== undefined}
                onOpen={onOpen}
              />
            ))}
          </tbody>
        </table>
        {!isComplete && searchedTo && <p className="searching">Searched back to {formatDate(new Date(searchedTo))}…</p>}
      </ScrollRegion>
    </>
  );
}

interface RowProps {
  index: number;
  top: number;
  person: PersonRow | undefined;
  isSelected: boolean;
  onOpen: (id: string) => void;
}

function Row({ index, top, person, isSelected, onOpen }: RowProps) {
  const style = { transform: `translateY(${top}px)` };
  if (!person) {
    return (
      <tr style={style} aria-rowindex={index + 2} className="loading">
        <td colSpan={6}>
          <span className="visually-hidden">Loading</span>
        </td>
      </tr>
    );
  }
  const status = statusOf(person);
  return (
    <tr style={style} aria-rowindex={index + 2} className={isSelected ? "selected" : undefined}>
      <th scope="row">
        <button type="button" className="row-link" onClick={() => onOpen(person.id)}>
          {person.email}
        </button>
      </th>
      <td>
        <bdi>
          {person.firstName} {person.lastName}
        </bdi>
      </td>
      <td>
        <bdi>{person.company}</bdi>
      </td>
      <td>
        <span className={`status ${status.tone}`}>{status.name}</span>
      </td>
      <td className="quiet">
        <bdi>{person.source}</bdi>
      </td>
      <td className="quiet">{formatDate(new Date(person.joinedAt))}</td>
    </tr>
  );
}
