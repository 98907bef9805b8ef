import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Samples one minute apart, by series, in promtool's notation: "0+10x20" is 0, 10, 20 and so on up to 200. */
export type Series = Record<string, string>;
export interface RuleTest {
  /** When to evaluate the rule, counted from the first sample, which is at 1970-01-01 00:00. */
  at: string;
  fires: Series[];
  silent: Series[];
}

/** Runs promtool on the tests of each alert. A developer's machine may not have Prometheus; CI always does. */
export function testAlertRules(rules: string, ruleTests: Record<string, RuleTest>): void {
  describe.skipIf(spawnSync("promtool", ["--version"]).status !== 0)("promtool", () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "farwatch-alerts-"));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each(Object.entries(ruleTests))("%s fires when it should, and only then", (alert, { at, fires, silent }) => {
      const expr = `clamp_max(count(ALERTS{alertname="${alert}", alertstate="firing"}), 1) or vector(0)`;
      const tests = [fires, silent].flatMap((sets, index) =>
        sets.map((series) => ({
          interval: "1m",
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          promql_expr_test: [{ expr, eval_time: at, exp_samples: [{ labels: "{}", value: index === 0 ? 1 : 0 }] }],
        })),
      );
      const file = join(folder, `${alert}.json`);
      writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: "1m", tests }));
      const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
      expect(stdout + stderr).toContain("SUCCESS");
      expect(status).toBe(0);
    });
  });
}
