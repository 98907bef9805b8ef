import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect } from "react";
import { get } from "#console/app/http/request.ts";
import { MAX_PAGE_SIZE, PAGE_SIZE, type PeoplePage, type PersonRow } from "#console/contract.ts";
import { addPage, countRows, resize, type Segment, type Segments, segmentsBetween } from "./people-segments.ts";

/** Long enough to scroll back a little; the people of a list that has been scrolled through don't stay in memory. */
const KEPT_MS = 10_000;

interface UsePeople {
  /** The filters, as a query string. */
  query: string;
  segments: Segments;
  setSegments: Dispatch<SetStateAction<Segments>>;
  /** The indexes of the visible rows. */
  first: number;
  last: number;
}

/** Reads the visible people, and more of the list once its end is in view. */
export function usePeople({ query, segments, setSegments, first, last }: UsePeople) {
  const client = useQueryClient();
  const keyOf = ({ before, last: end }: Segment) => ["people", "page", query, before, end];
  const visible = segmentsBetween(segments, first, last);
  const pages = useQueries({
    queries: visible.map((segment) => ({
      queryKey: keyOf(segment),
      gcTime: KEPT_MS,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        // Not as many as there were: people who had left may be back.
        readPage(query, { before: segment.before, last: segment.last, limit: MAX_PAGE_SIZE }, signal),
    })),
  });
  const following = useQuery({
    queryKey: ["people", "following", query, segments.next],
    gcTime: 0,
    // A little ahead, so that scrolling at a reading pace never waits.
    enabled: !segments.isComplete && last >= countRows(segments) - PAGE_SIZE,
    queryFn: ({ signal }) =>
      readPage(query, { before: segments.next, limit: segments.next ? MAX_PAGE_SIZE : PAGE_SIZE }, signal),
  });

  useEffect(() => {
    if (!following.data) return;
    const read = addPage(segments, following.data);
    const added = read.known[segments.known.length];
    // As defaults, because a query that has no observer yet would be kept for five minutes.
    client.setQueryDefaults(["people", "page"], { gcTime: KEPT_MS });
    if (added) client.setQueryData(keyOf(added), following.data);
    setSegments(read);
  }, [following.data]);

  useEffect(() => {
    for (const [index, page] of pages.entries()) {
      const segment = visible[index];
      const rows = page.data?.people.length;
      if (segment && rows !== undefined && rows !== segment.rows) {
        setSegments((all) => resize(all, segment.before, rows));
      }
    }
  });

  const failed = [...pages, following].filter(({ isError }) => isError);
  return {
    error: failed[0]?.error,
    retry() {
      for (const page of failed) page.refetch();
    },
    personAt(index: number): PersonRow | undefined {
      const at = visible.findIndex(({ from, rows }) => index >= from && index < from + rows);
      return pages[at]?.data?.people[index - (visible[at]?.from ?? 0)];
    },
  };
}

interface PageRequest {
  before: string | null;
  last?: string;
  limit: number;
}

function readPage(query: string, { before, last, limit }: PageRequest, signal: AbortSignal): Promise<PeoplePage> {
  const url = new URLSearchParams(query);
  if (before) url.set("before", before);
  if (last) url.set("last", last);
  url.set("limit", String(limit));
  return get(`/api/people?${url}`, signal);
}
