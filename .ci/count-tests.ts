/** Adds up the test runners' reports and prints "N passed, N failed". A missing report counts as a failure. */
import { readFileSync } from "node:fs";

/** The counts in Vitest's or Playwright's JSON report. */
interface Report {
  numPassedTests?: number;
  numFailedTests?: number;
  stats?: { expected: number; unexpected: number; flaky: number };
}

let passed = 0;
let failed = 0;
for (const path of process.argv.slice(2)) {
  try {
    const { numPassedTests, numFailedTests, stats }: Report = JSON.parse(readFileSync(path, "utf8"));
    passed += numPassedTests ?? stats?.expected ?? 0;
    failed += numFailedTests ?? (stats ? stats.unexpected + stats.flaky : 1);
  } catch (reason) {
    console.error(`No report in ${path}: ${reason}`);
    failed += 1;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
