import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { get } from "#console/app/http/request.ts";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Empty, Failed } from "#console/app/ui/states.tsx";
import { TableHead } from "#console/app/ui/table-head.tsx";
import { MAX_PAGE_SIZE, PAGE_SIZE, type PeoplePage, type PersonRow } from "#console/contract.ts";
import { formatDate } from "#core/format.ts";
import { statusOf } from "./status.ts";

const ROW_HEIGHT = 36;
/** Empty rows below the loaded ones, to scroll into. */
const PLACEHOLDERS = 30;
/** Longer lists aren't read again, page by page, whenever someone comes back to the tab. */
const MAX_REFETCHED_PAGES = 5;

interface PeopleTableProps {
  query: string;
  selected: string | undefined;
  onOpen: (id: string) => void;
}

/** The list, of any size: only visible rows are in the document. */
export function PeopleTable({ query, selected, onOpen }: PeopleTableProps) {
  const scroller = useRef<HTMLElement>(null);
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage, isFetchNextPageError } = useInfiniteQuery({
    queryKey: ["people", "pages", query],
    queryFn: ({ pageParam, signal }) => get<PeoplePage>(`/api/people?${pageOf(query, pageParam)}`, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_REFETCHED_PAGES,
  });
  const people = useMemo(() => data?.pages.flatMap((page) => page.people) ?? [], [data]);
  const isComplete = data !== undefined && !hasNextPage;
  const virtualizer = useVirtualizer({
    count: isComplete ? people.length : people.length + PLACEHOLDERS,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  // A little ahead, so that scrolling at a reading pace never waits.
  const isNearEnd = (items.at(-1)?.index ?? 0) >= people.length - PAGE_SIZE;
  const goesOn = isNearEnd && hasNextPage && !isFetching && !error;
  useEffect(() => {
    if (goesOn) fetchNextPage();
  }, [goesOn, fetchNextPage]);
  if (error && !data) return <Failed reason={error} onRetry={refetch} />;
  if (isComplete && people.length === 0) {
    return <Empty>{query ? "Nobody matches these filters." : "Nobody has signed up yet."}</Empty>;
  }
  const searchedTo = data?.pages.at(-1)?.searchedTo;
  return (
    <>
      {error && <Failed isAboveContent reason={error} onRetry={isFetchNextPageError ? fetchNextPage : refetch} />}
      <ScrollRegion label="People" ref={scroller}>
        <table aria-rowcount={isComplete ? people.length + 1 : -1}>
          <TableHead columns={["Email", "Name", "Company", "Status", "Source", "Joined"]} />
          <tbody style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const person = people[index];
              const className = person?.id === selected ? "selected" : undefined;
              return (
                <tr
                  key={index}
                  style={{ transform: `translateY(${start}px)` }}
                  aria-rowindex={index + 2}
                  className={person ? className : "loading"}
                >
                  {person ? <Cells person={person} onOpen={onOpen} /> : <LoadingCell />}
                </tr>
              );
            })}
          </tbody>
        </table>
        {!isComplete && searchedTo && <p className="searching">Searched back to {formatDate(new Date(searchedTo))}…</p>}
      </ScrollRegion>
    </>
  );
}

function pageOf(query: string, before: string | null): URLSearchParams {
  const page = new URLSearchParams(query);
  if (before) page.set("before", before);
  page.set("limit", String(before ? MAX_PAGE_SIZE : PAGE_SIZE));
  return page;
}

function LoadingCell() {
  return (
    <td colSpan={6}>
      <span className="visually-hidden">Loading</span>
    </td>
  );
}

function Cells({ person, onOpen }: { person: PersonRow; onOpen: (id: string) => void }) {
  const status = statusOf(person);
  return (
    <>
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
    </>
  );
}
