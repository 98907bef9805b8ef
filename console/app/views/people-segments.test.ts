import { expect, test } from "vitest";
import type { PeoplePage } from "#console/contract.ts";
import { addPage, countRows, NOTHING_READ, resize, segmentsBetween } from "./people-segments.ts";

const page = (ids: number[], next: string | null): PeoplePage => ({
  people: ids.map((id) => ({ id: String(id) }) as PeoplePage["people"][number]),
  next,
  searchedTo: null,
});

const read = [page([30, 29, 28], "28"), page([], "20"), page([19, 12], "10"), page([4], null)];
const all = read.reduce(addPage, NOTHING_READ);

test("segments follow each other, and a page without people leaves none", () => {
  expect(all.known).toEqual([
    { before: "31", last: "28", from: 0, rows: 3 },
    { before: "20", last: "12", from: 3, rows: 2 },
    { before: "10", last: "4", from: 5, rows: 1 },
  ]);
  expect(countRows(all)).toBe(6);
  expect(all.isComplete).toBe(true);
});

test("the segments of the visible rows are found", () => {
  expect(segmentsBetween(all, 2, 4).map(({ before }) => before)).toEqual(["31", "20"]);
  expect(segmentsBetween(all, 3, 3).map(({ before }) => before)).toEqual(["20"]);
  expect(segmentsBetween(all, 5, 99).map(({ before }) => before)).toEqual(["10"]);
  expect(segmentsBetween(all, 6, 99)).toEqual([]);
  expect(segmentsBetween(NOTHING_READ, 0, 50)).toEqual([]);
});

test("a segment whose people have all left is found where its rows were", () => {
  const left = resize(resize(all, "31", 0), "20", 0);
  expect(segmentsBetween(left, 0, 0).map(({ before }) => before)).toEqual(["31", "20", "10"]);
  expect(segmentsBetween(left, 1, 99)).toEqual([]);
});

test("someone who has left the list moves only the rows below", () => {
  const smaller = resize(all, "20", 1);
  expect(smaller.known.map(({ from, rows }) => [from, rows])).toEqual([
    [0, 3],
    [3, 1],
    [4, 1],
  ]);
  expect(countRows(resize(smaller, "31", 0))).toBe(2);
});
