import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "#console/app/http/location.tsx";
import { get } from "#console/app/http/request.ts";
import { FullName } from "#console/app/ui/full-name.tsx";
import { localDate } from "#console/app/ui/local-time.ts";
import { ScrollRegion } from "#console/app/ui/scroll-region.tsx";
import { Empty, Failed } from "#console/app/ui/states.tsx";
import { Cells, type Columns, TableHead } from "#console/app/ui/table.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import { useRows } from "#console/app/ui/use-rows.ts";
import { MAX_PAGE_SIZE, PAGE_SIZE, type PeoplePage, type PersonRow } from "#console/contract/people.ts";
import { FILTER_NAMES } from "#core/people/filter-fields.ts";
import { useFilterText } from "./filters/use-filter-names.ts";
import { statusOf } from "./status.ts";

/** Empty rows below the loaded ones, to scroll into. */
const PLACEHOLDERS = 30;
/** Beyond this, returning to the tab doesn't refetch the list, because that would reread it page by page. */
const MAX_REFETCHED_PAGES = 5;

interface PeopleTableProps {
  query: string;
  selected: string | undefined;
  hrefOf: (id: string) => string;
}

export function PeopleTable({ query, selected, hrefOf }: PeopleTableProps) {
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
  const virtualizer = useRows(isComplete ? people.length : people.length + PLACEHOLDERS, scroller);
  const items = virtualizer.getVirtualItems();
  // Prefetches one page, so that scrolling at reading speed never waits.
  const isNearEnd = (items.at(-1)?.index ?? 0) >= people.length - PAGE_SIZE;
  const goesOn = isNearEnd && hasNextPage && !isFetching && !error;
  useEffect(() => {
    if (goesOn) fetchNextPage();
  }, [goesOn, fetchNextPage]);
  if (error && !data) return <Failed reason={error} onRetry={refetch} />;
  if (isComplete && people.length === 0) {
    return query ? <Nobody query={query} /> : <Empty>Nobody has signed up yet. People appear here as they join.</Empty>;
  }
  const searchedTo = data?.pages.at(-1)?.searchedTo;
  const company = searchedCompany(query, people);
  const columns = columnsOf(hrefOf);
  return (
    <>
      {error && <Failed isAboveContent reason={error} onRetry={isFetchNextPageError ? fetchNextPage : refetch} />}
      {data?.pages[0]?.isInside && <p role="status">Found inside words. Exports find only beginnings of words.</p>}
      {company && (
        <p>
          <Link className="chip" href={`/people?${new URLSearchParams({ company })}`}>
            Everyone at {company}
          </Link>
        </p>
      )}
      <ScrollRegion aria-label="People" ref={scroller}>
        <table aria-rowcount={isComplete ? people.length + 1 : -1}>
          <TableHead columns={Object.keys(columns)} />
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
                  {person ? (
                    <Cells row={person} columns={columns} />
                  ) : (
                    <td colSpan={6}>
                      <span className="visually-hidden">Loading</span>
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
        {!isComplete && searchedTo && <p className="searching">Searched back to {localDate(searchedTo)}…</p>}
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

function Nobody({ query }: { query: string }) {
  const values = Object.fromEntries(new URLSearchParams(query));
  const describe = useFilterText(values);
  const used = FILTER_NAMES.filter((name) => name in values);
  return (
    <Empty>
      <p>Nobody matches {used.map((name) => describe(name, values[name] ?? "")).join(", ")}.</p>
      {values.search && (
        <p>The search looks for beginnings of words in addresses, names and companies, then inside them.</p>
      )}
      <Link href="/people">Show everyone</Link>
    </Empty>
  );
}

/** The most common company whose name contains the search, so that the view can offer the filter for it. */
function searchedCompany(query: string, people: PersonRow[]): string | undefined {
  const search = new URLSearchParams(query).get("search")?.toLowerCase();
  if (!search) return undefined;
  const named = people.flatMap(({ company }) => (company?.toLowerCase().includes(search) ? [company] : []));
  const groups = [...Map.groupBy(named, (company) => company)];
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function columnsOf(hrefOf: (id: string) => string): Columns<PersonRow> {
  return {
    Email: ({ id, email }) => (
      <Link className="row-link" href={hrefOf(id)}>
        {email}
      </Link>
    ),
    Name: FullName,
    Company: ({ company }) => <bdi>{company}</bdi>,
    Status: (person) => <span className={`status ${statusOf(person).tone}`}>{statusOf(person).name}</span>,
    Source: ({ source }) => <bdi className="quiet">{source}</bdi>,
    Joined: ({ joinedAt }) => <Ago at={joinedAt} />,
  };
}
