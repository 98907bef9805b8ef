import { expect, test } from "vitest";
import { runUpgrade } from "#tests/drills/upgrade/run-upgrade.ts";

/** The short form for CI; `npm run drill -- upgrade` has a million people, and a negative control. */
test("version 1.0.0 is upgraded, rolled back and upgraded again under load, and nobody notices", async () => {
  const { phases, failures, lost, duplicated, acknowledged } = await runUpgrade({
    people: 1000,
    seconds: 1,
    perSecond: 10,
    next: ".",
  });
  expect({ lost, duplicated, failures }).toEqual({ lost: 0, duplicated: 0, failures: [] });
  expect(phases).toHaveLength(14);
  expect(acknowledged).toBeGreaterThan(100);
}, 300_000);
