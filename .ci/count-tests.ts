/**
 * Adds up the test runners' JSON reports. Repeats each failed test with its error, because the runner's own output is
 * far above by then, and ends with "N passed, N failed". A missing report or a file that didn't start is a failure.
 */
import { readFileSync } from "node:fs";
import type { JSONReport, JSONReportSuite } from "@playwright/test/reporter";
import type { JsonTestResults } from "vitest/node";

type Failure = [test: string, error: string];

function vitestFailures({ testResults }: JsonTestResults): Failure[] {
  return testResults
    .filter((file) => file.status === "failed")
    .flatMap((file): Failure[] => {
      const failed = file.assertionResults.filter((test) => test.status === "failed");
      if (failed.length === 0) return [[file.name, file.message]];
      return failed.map((test) => [`${file.name} › ${test.fullName}`, test.failureMessages.join("\n")]);
    });
}

function suiteFailures({ suites = [], specs }: JSONReportSuite): Failure[] {
  const own = specs
    .filter((spec) => spec.tests.some((test) => test.status === "unexpected" || test.status === "flaky"))
    .map((spec): Failure => {
      const errors = spec.tests.flatMap((test) => test.results).map((result) => result.error?.message ?? "");
      return [`${spec.file} › ${spec.title}`, errors.join("\n")];
    });
  return [...own, ...suites.flatMap(suiteFailures)];
}

function playwrightFailures({ suites, errors }: JSONReport): Failure[] {
  return [...errors.map(({ message }): Failure => ["Playwright", message]), ...suites.flatMap(suiteFailures)];
}

let passed = 0;
const failures: Failure[] = [];
for (const path of process.argv.slice(2)) {
  try {
    const report: JsonTestResults | JSONReport = JSON.parse(readFileSync(path, "utf8"));
    const isVitest = "testResults" in report;
    passed += isVitest ? report.numPassedTests : report.stats.expected;
    failures.push(...(isVitest ? vitestFailures(report) : playwrightFailures(report)));
  } catch (reason) {
    failures.push([path, `No report: ${reason}`]);
  }
}
for (const [test, error] of failures) console.log(`-- failed: ${test}\n${error.trim()}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
