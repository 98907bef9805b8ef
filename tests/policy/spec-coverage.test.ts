import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Suite {
  specs?: { title: string }[];
  suites?: Suite[];
}

/** Asks the test runners, so that titles built in loops count too. */
function allTitles(): Set<string> {
  const run = (...command: string[]) =>
    JSON.parse(
      execFileSync(`node_modules/.bin/${command[0]}`, command.slice(1), { encoding: "utf8", maxBuffer: 2 ** 26 }),
    );
  const titlesIn = (suite: Suite): string[] => [
    ...(suite.specs ?? []).map(({ title }) => title),
    ...(suite.suites ?? []).flatMap(titlesIn),
  ];
  const unit: { name: string }[] = run("vitest", "list", "--project=unit", "--json");
  return new Set([
    ...titlesIn(run("playwright", "test", "--list", "--reporter=json")),
    ...unit.map(({ name }) => name.split(" > ").at(-1) ?? ""),
  ]);
}

const rows = [...readFileSync("docs/spec-coverage.md", "utf8").matchAll(/^\| (\d+\.\d+) +\| (.+?) +\| (.+?) +\|$/gm)];

test("docs/spec-coverage.md lists each of the 76 specification lines once", () => {
  expect(new Set(rows.map(([, line]) => line)).size).toBe(76);
  expect(rows).toHaveLength(76);
});

test("every test named in docs/spec-coverage.md exists", () => {
  const existing = allTitles();
  const named = rows.flatMap(([, line, , names]) => (names ?? "").split("<br>").map((name) => `${line} ${name}`));
  expect(named.filter((name) => !existing.has(name.slice(name.indexOf(" ") + 1)))).toEqual([]);
}, 60_000);
