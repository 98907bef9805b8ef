import { expect, test } from "vitest";
import { mergeResults } from "#tests/support/results.ts";

const kill = { name: "PostgreSQL killed", passed: true };
const crash = { name: "Patroni: primary killed, 10 times", passed: true, writesBackMs: { median: 1, worst: 2 } };

test("results of the cluster's drills are added to those of the other faults", () => {
  expect(mergeResults([kill], [crash])).toEqual([kill, crash]);
});

test("a full run of the faults replaces its own results, renamed ones too, and keeps the cluster's", () => {
  const renamed = { name: "PostgreSQL crashed", passed: true };
  const latest = [{ ...kill, passed: false }];
  expect(mergeResults([kill, renamed, crash], latest, (name) => !name.startsWith("Patroni: "))).toEqual([
    crash,
    ...latest,
  ]);
});

test("a drill that runs again replaces its earlier result", () => {
  const latest = { ...crash, passed: false };
  expect(mergeResults([kill, crash], [latest])).toEqual([kill, latest]);
});
