import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GROUPS } from "./groups.ts";
import type { Context } from "./harness/drill.ts";
import { occurrences } from "./harness/fragment.ts";
import { hasPassed, runControl, runOnce } from "./harness/run-drill.ts";

test("a drill passes only without failures, a control fails only for its own reason, and both stop what they started", async () => {
  const stopped: string[] = [];
  const run = async ({ keep, check }: Context) => {
    await keep({ stop: () => stopped.push("first") });
    await keep({ stop: () => stopped.push("second") });
    check(false, "a sign-up failed");
    return { acknowledged: 2, lost: 0, duplicated: 0 };
  };
  const ran = await runOnce(run, "short");
  expect([hasPassed(ran), hasPassed({ ...ran, failures: [] })]).toEqual([false, true]);
  expect(stopped).toEqual(["second", "first"]);
  for (const [finds, hasFailed] of [
    [/^a sign-up/, true],
    [/^something else/, false],
    ["lost", false],
  ] as const) {
    expect(await runControl({ without: "a safeguard", finds, run })).toMatchObject({ hasFailed });
  }
  const thrown = await runOnce(() => Promise.reject(new Error("thrown")), "short");
  expect(thrown.failures.join()).toContain("thrown");
});

test("a fragment of source is found in any formatting, and nowhere else", () => {
  const formatted = "open(\n  { port: 1 },\n  now,\n)";
  expect(occurrences(formatted, "open({ port: 1 }, now)")).toBe(1);
  expect(occurrences(formatted, "open({ port: 2 }, now)")).toBe(0);
  expect(occurrences("a.b(1); a.b( 1 );", "a.b(1)")).toBe(2);
  expect(occurrences("axb(1)", "a.b(1)")).toBe(0);
});

test("each control's changes to the source apply exactly once", async () => {
  const drills = (await Promise.all(Object.values(GROUPS).map((load) => load()))).flat();
  const changes = drills.flatMap(({ controls }) => controls).flatMap((control) => control.changes ?? []);
  expect(changes.length).toBeGreaterThan(10);
  const lost = changes.filter(([file, find]) => occurrences(readFileSync(file, "utf8"), find) !== 1);
  expect(lost).toEqual([]);
});
