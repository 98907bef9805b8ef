import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every drill runs on each pull request or every night", () => {
  const listing = execFileSync(process.execPath, ["tests/drills/drill.ts"], { encoding: "utf8" });
  const drills = [...listing.matchAll(/^ {2}([\w-]+) /gm)].map(([, name]) => name);
  expect(readFileSync(".ci/run", "utf8")).toContain("npx vitest run --project drills ");
  const [, matrix = ""] =
    /^ {8}drill:\n((?: {10}- .*\n)+)/m.exec(readFileSync(".github/workflows/nightly.yml", "utf8")) ?? [];
  const nightly = [...matrix.matchAll(/- (.*)/g)].map(([, name]) => name);
  expect(["short", ...nightly].sort()).toEqual(drills.sort());
});
