import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useParameters } from "#console/app/http/location.tsx";
import { get } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { fromLocal, localDate, localTime } from "#console/app/ui/local-time.ts";
import { Empty, Loaded } from "#console/app/ui/states.tsx";
import { Time } from "#console/app/ui/times.tsx";
import type { ActivityEntry, ActivityPage } from "#console/contract/operators.ts";

export function Activity() {
  const { values } = useParameters();
  const on = values.get("on");
  if (on) values.set("on", fromLocal(`${on}T00:00`));
  const query = values.toString();
  const pages = useInfiniteQuery({
    queryKey: ["activity", query],
    queryFn: ({ pageParam, signal }) => get<ActivityPage>(`/api/activity?${query}${pageParam}`, signal),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next && `&before=${next}`,
    ...LIVE,
  });
  return (
    <>
      <title>Activity</title>
      <h1>Activity</h1>
      <p className="quiet lead">
        Operators' actions in the console and on the command line. What members do on their own pages isn't recorded
        here.
      </p>
      <ActivityFilters />
      <Loaded query={pages}>
        {({ pages: loaded }) => {
          const entries = loaded.flatMap((page) => page.entries);
          if (entries.length > 0) return <Days entries={entries} />;
          return (
            <Empty>
              {query
                ? "Nobody did anything that matches."
                : "No activity yet. Edits, invitations, messages and exports will appear here."}
            </Empty>
          );
        }}
      </Loaded>
      {pages.hasNextPage && (
        <Button className="button" disabled={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {pages.isFetchingNextPage ? "Loading…" : "Show older"}
        </Button>
      )}
      {pages.isFetchNextPageError && <p role="alert">{pages.error?.message}</p>}
    </>
  );
}

function ActivityFilters() {
  const { values, change } = useParameters();
  const operators = useApi<string[]>("/api/activity/operators");
  const by = values.get("by") ?? "";
  return (
    <search className="fields">
      <label>
        Operator
        <select value={by} onChange={({ target }) => change("by", target.value)}>
          <option value="">Anyone</option>
          {[...new Set([...(operators.data ?? []), by])].filter(Boolean).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        Day
        <input type="date" value={values.get("on") ?? ""} onChange={({ target }) => change("on", target.value)} />
      </label>
    </search>
  );
}

function Days({ entries }: { entries: ActivityEntry[] }) {
  const days = Map.groupBy(entries, ({ at }) => localDate(at));
  return [...days].map(([day, those]) => (
    <section key={day} className="day" aria-label={day}>
      <h2>{day}</h2>
      <ul className="history">
        {those.map((entry) => (
          <li key={entry.id} className="entry">
            <Sentence entry={entry} />
            <p className="quiet">
              {entry.via} · <Time at={entry.at} format={localTime} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  ));
}

interface SentenceProps {
  entry: ActivityEntry;
  /** Shown instead of the link to the person. */
  them?: ReactNode;
}

const PATHS = { person: "/people/", message: "/messages/", wave: "/people?wave=" };

export function Sentence({ entry: { actor, phrases }, them }: SentenceProps) {
  return (
    <p>
      <bdi className="actor">{actor}</bdi>{" "}
      {phrases.map((phrase) => {
        if (!phrase.name) return phrase.text;
        if (phrase.name === "person" && them) return them;
        return (
          <Link key={phrase.name} href={`${PATHS[phrase.name]}${phrase.id}`}>
            <bdi>{phrase.text}</bdi>
          </Link>
        );
      })}
    </p>
  );
}
