import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type RuleTest, type Series, testAlertRules } from "#tests/support/alert-rules.ts";

const RULES = resolve("deploy/alerts.yaml");
const alerts = [...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);

/** What a server exports that couldn't read the value yet. */
const unknown = Array(60).fill("NaN").join(" ");
/** A gauge that is on one side of its threshold all the time. */
const gauge = (series: string, at: string, tooBad: string, acceptable: string): RuleTest => ({
  at,
  fires: [{ [series]: `${tooBad}x60` }],
  silent: [{ [series]: `${acceptable}x60` }, { [series]: unknown }],
});
/** In seconds before the first sample: 26 or 25 hours. */
const lastSuccess = (series: string) => gauge(series, "10m", "-93600", "-90000");
const joins = (failed: string): Series => ({
  'farwatch_joins_total{outcome="failed"}': failed,
  'farwatch_joins_total{outcome="joined"}': "0+90x60",
});
const commits = (withinHalfASecond: string): Series => ({
  'farwatch_commit_seconds_bucket{le="0.5"}': withinHalfASecond,
  'farwatch_commit_seconds_bucket{le="1"}': "0+60x60",
  'farwatch_commit_seconds_bucket{le="+Inf"}': "0+60x60",
});
const starts = (values: string): Series => ({ 'process_start_time_seconds{job="farwatch"}': values });

const RULE_TESTS: Record<string, RuleTest> = {
  ServerDown: { at: "5m", fires: [{ 'up{job="farwatch"}': "0x60" }, {}], silent: [{ 'up{job="farwatch"}': "1x60" }] },
  DatabaseDown: gauge("farwatch_database_up", "5m", "0", "1"),
  SignUpsFail: { at: "15m", fires: [joins("0+10x60")], silent: [joins("0+1x60")] },
  EventLoopLate: gauge('nodejs_eventloop_lag_p99_seconds{job="farwatch"}', "10m", "0.3", "0.2"),
  QueueFills: gauge("farwatch_waiting", "5m", "5001", "5000"),
  SignUpsSlow: { at: "25m", fires: [commits("0x60")], silent: [commits("0+60x60")] },
  SignUpSurge: gauge('farwatch_surge{job="farwatch"}', "2m", "1", "0"),
  LimiterBusy: {
    at: "25m",
    fires: [{ 'farwatch_limited_total{bucket="client"}': "0+120x60" }],
    silent: [{ 'farwatch_limited_total{bucket="client"}': "0+30x60" }],
  },
  ServerRestarts: { at: "5m", fires: [starts("1 2 3 4 4 4")], silent: [starts("1 2 2 2 2 2")] },
  MailQueueLong: gauge('farwatch_mail_waiting{job="farwatch"}', "40m", "6001", "6000"),
  MailLate: gauge('farwatch_mail_oldest_seconds{job="farwatch"}', "20m", "3601", "3600"),
  MailGivenUp: gauge('farwatch_mail_dead{job="farwatch"}', "10m", "1", "0"),
  BackupMissing: lastSuccess('farwatch_last_backup_timestamp_seconds{job="farwatch"}'),
  BackupNotRestored: lastSuccess('farwatch_last_restore_timestamp_seconds{job="farwatch"}'),
  VerifyMissing: lastSuccess('farwatch_last_verify_timestamp_seconds{job="farwatch"}'),
};

test("every alert has a test of its rule", () => {
  expect(Object.keys(RULE_TESTS)).toEqual(alerts);
});

test("the dashboard shows every metric of ours that an alert uses", () => {
  const metricsIn = (file: string) => new Set(readFileSync(file, "utf8").match(/\bfarwatch_\w+/g));
  const shown = metricsIn("deploy/dashboard.json");
  expect([...metricsIn(RULES)].filter((metric) => !shown.has(metric))).toEqual([]);
});

test("every alert links to an existing runbook section", () => {
  const headings = readFileSync("docs/operations.md", "utf8").match(/(?<=^### ).+$/gm);
  const anchors = readFileSync(RULES, "utf8").match(/(?<=operations\.md#)\S+/g) ?? [];
  expect(anchors).toHaveLength(alerts.length);
  expect(headings?.map((heading) => heading.toLowerCase())).toEqual(expect.arrayContaining(anchors));
});

testAlertRules(RULES, RULE_TESTS);
