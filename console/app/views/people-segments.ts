import type { PeoplePage } from "#console/contract.ts";

/** A part of the list that has been read: its people are newer than or equal to `last` and older than `before`. */
export interface Segment {
  before: string;
  last: string;
  /** The index of its first row. */
  from: number;
  rows: number;
}

/** What is known about the list so far. It holds no people, only where to read them again. */
export interface Segments {
  known: Segment[];
  /** Where to go on; null for the start of the list. */
  next: string | null;
  isComplete: boolean;
  searchedTo: string | null;
}

export const NOTHING_READ: Segments = { known: [], next: null, isComplete: false, searchedTo: null };

export function countRows({ known }: Segments): number {
  const last = known.at(-1);
  return last ? last.from + last.rows : 0;
}

/** Adds what was read at the end of what is known. A page may have no people, if no one in that part matches. */
export function addPage(segments: Segments, { people, next, searchedTo }: PeoplePage): Segments {
  const [first, last] = [people[0], people.at(-1)];
  const known = [...segments.known];
  if (first && last) {
    // People who join from now on have higher ids, and don't move the rows.
    const before = segments.next ?? String(BigInt(first.id) + 1n);
    known.push({ before, last: last.id, from: countRows(segments), rows: people.length });
  }
  return { known, next, isComplete: next === null, searchedTo };
}

/** For when people in a segment have left the list, or no longer match. */
export function resize(segments: Segments, before: string, rows: number): Segments {
  let from = 0;
  const known = segments.known.map((segment) => {
    const resized = { ...segment, from, rows: segment.before === before ? rows : segment.rows };
    from += resized.rows;
    return resized;
  });
  return { ...segments, known };
}

/**
 * The segments that have rows from `first` to `last`, found by binary search: a list may have a hundred thousand. One
 * whose people have all left is among them where its rows were, because they may come back.
 */
export function segmentsBetween({ known }: Segments, first: number, last: number): Segment[] {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { from = 0, rows = 0 } = known[middle] ?? {};
    if (from + Math.max(rows, 1) <= first) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < known.length && (known[end]?.from ?? 0) <= last) end += 1;
  return known.slice(low, end);
}
