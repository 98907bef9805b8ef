import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A line of the specification, and the titles of the tests that cover it. */
export interface CoveredLine {
  line: string;
  titles: string[];
}

/** Parses docs/spec-coverage.md. "as 2.5" stands for the tests of line 2.5. */
export function specCoverage(): CoveredLine[] {
  const rows = readFileSync("docs/spec-coverage.md", "utf8").matchAll(/^\| (\d+\.\d+) +\| .+? +\| (.+?) +\|$/gm);
  const named = [...rows].map(([, line = "", titles = ""]) => ({ line, titles: titles.split("<br>") }));
  const resolve = (title: string): string[] => {
    const other = named.find(({ line }) => title === `as ${line}`);
    return other ? other.titles.flatMap(resolve) : [title];
  };
  return named.map(({ line, titles }) => ({ line, titles: titles.flatMap(resolve) }));
}

export interface FoundTest {
  runner: "vitest" | "playwright";
  file: string;
  title: string;
  /** The Playwright projects that run it. */
  projects?: string[];
}

interface Suite {
  specs?: { title: string; file: string; tests: { projectName: string }[] }[];
  suites?: Suite[];
}

/** All unit and browser tests, as listed by the test runners, because some titles are built in loops. */
export function allTests(): FoundTest[] {
  const run = (...command: string[]) =>
    JSON.parse(
      execFileSync(`node_modules/.bin/${command[0]}`, command.slice(1), { encoding: "utf8", maxBuffer: 2 ** 26 }),
    );
  const testsIn = (suite: Suite): FoundTest[] => [
    ...(suite.specs ?? []).map(({ title, file, tests }) => ({
      runner: "playwright" as const,
      file: `tests/e2e/${file}`,
      title,
      projects: tests.map(({ projectName }) => projectName),
    })),
    ...(suite.suites ?? []).flatMap(testsIn),
  ];
  const unit: { name: string; file: string }[] = run("vitest", "list", "--project=unit", "--project=policy", "--json");
  return [
    ...testsIn(run("playwright", "test", "--list", "--reporter=json")),
    ...unit.map(({ name, file }) => ({
      runner: "vitest" as const,
      file: file.slice(process.cwd().length + 1),
      title: name.split(" > ").at(-1) ?? "",
    })),
  ];
}
