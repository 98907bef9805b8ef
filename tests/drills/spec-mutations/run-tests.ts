import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { FoundTest } from "#tests/support/spec-coverage.ts";

export interface TestResult {
  title: string;
  /** Broken if the test ended in an exception or its own timeout, not an assertion. */
  outcome: "passed" | "assertion failed" | "broken";
  message: string;
}

/** Long enough for the tests' real waits, because without a mutation all tests must pass. */
const EXPECT_TIMEOUT_MS = "10000";

const PROJECTS = ["--project=unit", "--project=policy", "--project=integration"];

interface RunOptions {
  workers: number;
  /** Stops after this many failures; 0 runs all tests. */
  maxFailures?: number;
  env?: Record<string, string>;
}

/** Runs exactly these tests, all of one runner, in a folder with a copy of the project. */
export async function runTests(
  tests: FoundTest[],
  folder: string,
  { workers, maxFailures = 0, env = {} }: RunOptions,
): Promise<TestResult[]> {
  const files = [...new Set(tests.map(({ file }) => file))];
  const titles = tests.map(({ title }) => RegExp.escape(title)).join("|");
  const pattern = `(?:^| )(?:${titles})$`;
  const isUnit = tests[0]?.runner === "vitest";
  const report = join(folder, "report.json");
  rmSync(report, { force: true });
  const command = isUnit
    ? [
        "vitest",
        "run",
        ...PROJECTS,
        `--maxWorkers=${workers}`,
        `--bail=${maxFailures}`,
        "--reporter=json",
        `--outputFile=${report}`,
        ...files,
        "-t",
        pattern,
      ]
    : [
        "playwright",
        "test",
        `--max-failures=${maxFailures}`,
        "--reporter=json",
        `--workers=${workers}`,
        ...files,
        "-g",
        pattern,
      ];
  const { stdout, stderr } = await run(`node_modules/.bin/${command[0]}`, command.slice(1), folder, {
    EXPECT_TIMEOUT_MS,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...env,
  });
  if (!existsSync(report)) return [{ title: "the test runner", outcome: "broken", message: stderr || stdout }];
  const results = JSON.parse(readFileSync(report, "utf8"));
  return isUnit ? unitResults(results) : browserResults(results);
}

export interface Finished {
  isOk: boolean;
  stdout: string;
  stderr: string;
}

/** Runs a program until it exits, with any exit code. */
export function run(program: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<Finished> {
  // The compile cache halves the start-up time of our programs.
  const settings = { FORCE_COLOR: "0", NODE_COMPILE_CACHE: "node_modules/.cache/node", ...env };
  const options = { cwd, env: { ...process.env, ...settings }, maxBuffer: 2 ** 28 };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => resolve({ isOk: !error, stdout, stderr }));
  });
}

interface BrowserSuite {
  specs?: { title: string; tests: { results: { status: string; errors: { message?: string }[] }[] }[] }[];
  suites?: BrowserSuite[];
}

function browserResults(suite: BrowserSuite): TestResult[] {
  const own = (suite.specs ?? []).flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) =>
      results.map(({ status, errors }) => {
        const message = stripVTControlCharacters(errors[0]?.message ?? status);
        const hasFailed = status === "failed" && message.includes("expect(");
        return { title, message, outcome: verdict(status === "passed", hasFailed) };
      }),
    ),
  );
  return [...own, ...(suite.suites ?? []).flatMap(browserResults)];
}

interface UnitReport {
  testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
}

function unitResults({ testResults }: UnitReport): TestResult[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed")
    .map(({ title, status, failureMessages: [message = ""] }) => ({
      title,
      message,
      // The second pattern matches a failed `expect.poll()`, the third a failed `expect().rejects`.
      outcome: verdict(status === "passed", /^AssertionError|^Error: expected |at Assertion\.__VITEST_/.test(message)),
    }));
}

function verdict(hasPassed: boolean, hasFailed: boolean): TestResult["outcome"] {
  if (hasPassed) return "passed";
  return hasFailed ? "assertion failed" : "broken";
}
