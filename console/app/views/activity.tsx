import { useInfiniteQuery } from "@tanstack/react-query";
import { REFETCH_INTERVAL_MS } from "#console/app/http/idle.ts";
import { get } from "#console/app/http/request.ts";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import type { ActivityEntry, ActivityPage } from "#console/contract.ts";
import { formatShortDate, formatTime } from "#core/format.ts";
import { Sentence } from "./activity-sentence.tsx";

export function Activity() {
  const pages = useInfiniteQuery({
    queryKey: ["activity"],
    queryFn: ({ pageParam, signal }) =>
      get<ActivityPage>(`/api/activity${pageParam ? `?before=${pageParam}` : ""}`, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  return (
    <>
      <title>Activity</title>
      <h1>Activity</h1>
      <p className="quiet lead">
        Operators' actions in the console and on the command line. Times are in UTC. What members do on their own pages
        isn't recorded here.
      </p>
      <Loaded query={pages}>
        {({ pages: loaded }) => {
          const entries = loaded.flatMap((page) => page.entries);
          return entries.length === 0 ? (
            <Empty>No activity yet. Edits, invitations, messages and exports will appear here.</Empty>
          ) : (
            <Days entries={entries} />
          );
        }}
      </Loaded>
      {pages.hasNextPage && (
        <button
          type="button"
          className="more"
          disabled={pages.isFetchingNextPage}
          onClick={() => pages.fetchNextPage()}
        >
          {pages.isFetchingNextPage ? "Loading…" : "Show older"}
        </button>
      )}
      {pages.isFetchNextPageError && <p role="alert">{pages.error?.message}</p>}
    </>
  );
}

function Days({ entries }: { entries: ActivityEntry[] }) {
  const days = Map.groupBy(entries, ({ at }) => formatShortDate(new Date(at)));
  return [...days].map(([day, those]) => (
    <section key={day} className="day" aria-label={day}>
      <h2>{day}</h2>
      <ul className="history">
        {those.map((entry) => (
          <li key={entry.id} className="entry">
            <Sentence entry={entry} />
            <p className="quiet">
              {entry.via} · <time dateTime={entry.at}>{formatTime(new Date(entry.at))}</time>
            </p>
          </li>
        ))}
      </ul>
    </section>
  ));
}
