import { useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { get } from "#console/app/http/request.ts";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Empty, Failed } from "#console/app/ui/states.tsx";
import { PAGE_SIZE, type PeoplePage, type PersonRow } from "#console/contract.ts";
import { formatDate } from "#core/format.ts";
import { statusOf } from "./status.ts";

const ROW_HEIGHT = 36;

interface PeopleTableProps {
  /** The filters, as a query string. */
  query: string;
  selected: string | undefined;
  onOpen: (id: string) => void;
}

/**
 * The list, of any size: only visible rows are in the document, and only pages near them in memory. Of the others it
 * keeps where they start, which is all it needs to ask for them again.
 */
export function PeopleTable({ query, selected, onOpen }: PeopleTableProps) {
  const scroller = useRef<HTMLElement>(null);
  const [starts, setStarts] = useState<(string | null)[]>([null]);
  const [isComplete, setComplete] = useState(false);
  const [lastRows, setLastRows] = useState(0);
  const known = (starts.length - 1) * PAGE_SIZE;
  const virtualizer = useVirtualizer({
    count: isComplete ? known + lastRows : known + PAGE_SIZE,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const firstPage = Math.floor((items[0]?.index ?? 0) / PAGE_SIZE);
  const lastPage = Math.min(Math.floor((items.at(-1)?.index ?? 0) / PAGE_SIZE), starts.length - 1);
  const visible = Array.from({ length: lastPage - firstPage + 1 }, (_, i) => firstPage + i);
  const pages = useQueries({
    queries: visible.map((page) => ({
      queryKey: ["people", "page", query, starts[page]],
      gcTime: 10_000,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const before = starts[page] ? `&before=${starts[page]}` : "";
        const content = await get<PeoplePage>(`/api/people?${query}${before}`, signal);
        if (page === starts.length - 1) {
          if (content.next) setStarts((all) => (all.length === page + 1 ? [...all, content.next] : all));
          else {
            setComplete(true);
            setLastRows(content.people.length);
          }
        }
        return content;
      },
    })),
  });
  const failed = pages.find(({ isError }) => isError);
  if (failed?.error) return <Failed reason={failed.error} onRetry={() => failed.refetch()} />;
  if (isComplete && starts.length === 1 && lastRows === 0) {
    return <Empty>{query ? "Nobody matches these filters." : "Nobody has signed up yet."}</Empty>;
  }
  const personAt = (index: number) => pages[Math.floor(index / PAGE_SIZE) - firstPage]?.data?.people[index % PAGE_SIZE];
  return (
    <ScrollRegion label="People" ref={scroller}>
      <table aria-rowcount={isComplete ? virtualizer.options.count + 1 : -1}>
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
    </ScrollRegion>
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
