import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type RuleTest, type Series, testAlertRules } from "#tests/support/alert-rules.ts";

/** A server exports NaN until it has read the value. */
const unknown = Array(60).fill("NaN").join(" ");
/** Tests a gauge that stays on one side of its threshold. */
const gauge = (series: string, at: string, tooBad: string, acceptable: string): RuleTest => ({
  at,
  fires: [{ [series]: `${tooBad}x60` }],
  silent: [{ [series]: `${acceptable}x60` }, { [series]: unknown }],
});
/** The last success was 26 hours (too long) or 25 hours before the first sample. */
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
const reputation = (gauge: string): Series => {
  const [name, value] = gauge.split(" ");
  return { [`farwatch_mail_${name}{job="farwatch"}`]: `${value}x60` };
};
const confirmations = (reached: string, confirmed: string): Series => ({
  'farwatch_mail_reached{job="farwatch"}': reached,
  'farwatch_confirmed_total{job="farwatch"}': confirmed,
});
/** The share of member pages that fail is 1 in 5. */
const failingPages: Series = {
  'farwatch_responses_total{job="farwatch",route="/api/page",status="200"}': "0+40x60",
  'farwatch_responses_total{job="farwatch",route="/api/page",status="500"}': "0+10x60",
};
/** Two hours in which one of ten views was a sign-up, then two more. */
const twoHoursLater = (views: string, joins: string): Series => ({
  'farwatch_views_total{job="farwatch"}': `0+10x120 1200+${views}x120`,
  'farwatch_joins_total{job="farwatch",outcome="joined"}': `0+1x120 120+${joins}x120`,
});
/** The outages that page someone before their consequences would. */
const databaseDown = { 'farwatch_database_up{job="farwatch"}': "0x240" };
const overloaded = { 'nodejs_eventloop_lag_p99_seconds{job="farwatch"}': "0.3x60" };
const starts = (values: string): Series => ({ 'process_start_time_seconds{job="farwatch"}': values });

const SERVICE_TESTS: Record<string, RuleTest> = {
  ServerDown: { at: "5m", fires: [{ 'up{job="farwatch"}': "0x60" }, {}], silent: [{ 'up{job="farwatch"}': "1x60" }] },
  DatabaseDown: gauge('farwatch_database_up{job="farwatch"}', "5m", "0", "1"),
  SignUpsFail: {
    at: "15m",
    fires: [joins("0+10x60")],
    silent: [
      joins("0+1x60"),
      { ...joins("0+10x60"), ...databaseDown },
      { ...joins("0+10x60"), farwatch_waiting: "5001x60" },
    ],
  },
  ResponsesFail: {
    at: "15m",
    fires: [failingPages],
    silent: [
      { ...failingPages, 'farwatch_responses_total{job="farwatch",route="/api/page",status="200"}': "0+100x60" },
      { ...failingPages, ...databaseDown },
      { ...failingPages, ...overloaded },
    ],
  },
  SignUpsStopped: {
    at: "4h",
    fires: [twoHoursLater("10", "0")],
    silent: [twoHoursLater("10", "0.1"), twoHoursLater("1", "0"), { ...twoHoursLater("10", "0"), ...databaseDown }],
  },
  EventLoopLate: gauge('nodejs_eventloop_lag_p99_seconds{job="farwatch"}', "10m", "0.3", "0.2"),
  QueueFills: {
    at: "5m",
    fires: [{ farwatch_waiting: "5001x60" }],
    silent: [{ farwatch_waiting: "5000x60" }, { farwatch_waiting: "5001x60", ...databaseDown }],
  },
  SignUpsSlow: { at: "25m", fires: [commits("0x60")], silent: [commits("0+60x60")] },
  ConfirmationsIgnored: {
    at: "90m",
    fires: [confirmations("5000+4x90", "0+1x90")],
    // Half confirm, few are emailed, a server has just started, and a launch's first people had no time to confirm.
    silent: [
      confirmations("5000+4x90", "0+2.1x90"),
      confirmations("5000+3x90", "0x90"),
      confirmations(Array(91).fill("NaN").join(" "), "0x90"),
      confirmations("5000x79 5000+600x10", "0x90"),
    ],
  },
  LimiterBusy: {
    at: "25m",
    fires: [{ 'farwatch_limited_total{bucket="client"}': "0+120x60" }],
    silent: [{ 'farwatch_limited_total{bucket="client"}': "0+30x60" }],
  },
  ServerRestarts: { at: "5m", fires: [starts("1 2 3 4 4 4")], silent: [starts("1 2 2 2 2 2")] },
  MailQueueLong: gauge('farwatch_mail_waiting{job="farwatch"}', "40m", "6001", "6000"),
  MailWorkerDown: {
    at: "10m",
    fires: [
      { 'up{job="farwatch-mail"}': "0x60" },
      { 'farwatch_database_up{job="farwatch-mail"}': "0x60" },
      { 'farwatch_mail_stalled{job="farwatch"}': "1x60" },
    ],
    silent: [
      { 'up{job="farwatch-mail"}': "1x60", 'farwatch_mail_stalled{job="farwatch"}': "0x60" },
      { 'farwatch_mail_stalled{job="farwatch"}': unknown, 'up{job="farwatch"}': "0x60" },
    ],
  },
  MailFailing: gauge('farwatch_mail_failing_seconds{job="farwatch"}', "10m", "181", "180"),
  MailLate: gauge('farwatch_mail_oldest_seconds{job="farwatch"}', "20m", "3601", "3600"),
  MailGivenUp: gauge('farwatch_mail_dead{job="farwatch"}', "10m", "1", "0"),
  MailReputation: {
    at: "10m",
    fires: ["complaints_ratio 0.0011", "bounces_ratio 0.051", "paused 1"].map(reputation),
    silent: ["complaints_ratio 0.001", "bounces_ratio 0.05", "paused 0"].map(reputation),
  },
  MailEventsStopped: gauge('farwatch_mail_events_stopped{job="farwatch"}', "2m", "1", "0"),
  WebhookFailing: gauge('farwatch_webhooks_failing{job="farwatch"}', "10m", "1", "0"),
  ErasureSurge: gauge('farwatch_erased_people{job="farwatch"}', "2m", "101", "100"),
  ArchiveFailing: gauge('farwatch_archive_failing{job="farwatch"}', "20m", "1", "0"),
  BackupMissing: lastSuccess('farwatch_last_backup_timestamp_seconds{job="farwatch"}'),
  BackupNotRestored: lastSuccess('farwatch_last_restore_timestamp_seconds{job="farwatch"}'),
  VerifyMissing: lastSuccess('farwatch_last_verify_timestamp_seconds{job="farwatch"}'),
  CertificateExpires: {
    at: "1570m",
    fires: [{ 'farwatch_last_certificate_timestamp_seconds{job="farwatch"}': "60x1600" }],
    // It was checked an hour ago, or never, because another program terminates TLS.
    silent: [
      { 'farwatch_last_certificate_timestamp_seconds{job="farwatch"}': "90000x1600" },
      { 'farwatch_last_certificate_timestamp_seconds{job="farwatch"}': "0x1600" },
    ],
  },
};

const on = (metric: string, machine: number) => `patroni_${metric}{job="patroni",instance="${machine}"}`;
/** A primary and two standbys, one of them synchronous. */
const healthy: Series = {
  [on("primary", 1)]: "1x60",
  [on("primary", 2)]: "0x60",
  [on("sync_standby", 1)]: "0x60",
  [on("sync_standby", 2)]: "1x60",
  [on("xlog_location", 1)]: "1000000000x60",
  [on("xlog_replayed_location", 1)]: "0x60",
  [on("replica", 1)]: "0x60",
  [on("xlog_replayed_location", 2)]: "999000000x60",
  [on("replica", 2)]: "1x60",
  [on("postgres_running", 1)]: "1x60",
  [on("postgres_timeline", 1)]: "3x60",
  [on("dcs_last_seen", 1)]: "0+60x60",
  [on("is_paused", 1)]: "0x60",
  'up{job="patroni",instance="1"}': "1x60",
};

const CLUSTER_TESTS: Record<string, RuleTest> = {
  NoPrimary: {
    at: "5m",
    fires: [{ [on("primary", 1)]: "0x60" }, {}],
    silent: [healthy, { [on("primary", 1)]: "1 1 1 1 0 1" }, { [on("primary", 1)]: "0x60", ...databaseDown }],
  },
  OneCopy: {
    at: "5m",
    fires: [{ ...healthy, [on("sync_standby", 2)]: "0x60" }],
    silent: [healthy, { ...healthy, [on("sync_standby", 2)]: "0x60", ...databaseDown }],
  },
  MachineDown: {
    at: "10m",
    fires: [{ 'up{job="patroni",instance="1"}': "0x60" }, { [on("postgres_running", 1)]: "0x60" }],
    silent: [healthy],
  },
  ReplicationLag: {
    at: "10m",
    fires: [{ ...healthy, [on("xlog_replayed_location", 2)]: "900000000x60" }],
    silent: [healthy],
  },
  EtcdUnreachable: {
    at: "5m",
    fires: [{ [on("dcs_last_seen", 1)]: "0x60" }],
    silent: [healthy, { [on("dcs_last_seen", 1)]: "0x60", ...databaseDown }],
  },
  PrimaryChanged: { at: "20m", fires: [{ [on("postgres_timeline", 1)]: "3x10 4x40" }], silent: [healthy] },
  FailoverPaused: {
    at: "70m",
    fires: [{ [on("is_paused", 1)]: "1x80" }],
    silent: [{ [on("is_paused", 1)]: "0x60 1x20" }],
  },
};

describe.each([
  ["deploy/alerts.yaml", "docs/operations.md", SERVICE_TESTS],
  ["deploy/ha/alerts.yaml", "docs/high-availability.md", CLUSTER_TESTS],
])("%s", (file, guide, ruleTests) => {
  const rules = readFileSync(file, "utf8");
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);

  test("every alert has a test of its rule", () => {
    expect(Object.keys(ruleTests)).toEqual(alerts);
  });

  test("every alert links to its section of the guide", () => {
    const headings = readFileSync(guide, "utf8").match(/(?<=^### ).+$/gm);
    const urls = rules.matchAll(/^ +runbook_url: https:\/\/\S+\/(docs\/\S+\.md)#(\w+)$/gm);
    const anchors = [...urls].map(([, path, anchor]) => (path === guide ? anchor : path));
    expect(anchors).toEqual(alerts.map((alert) => alert.toLowerCase()));
    expect(headings?.map((heading) => heading.toLowerCase())).toEqual(expect.arrayContaining(anchors));
  });

  testAlertRules(resolve(file), ruleTests);
});

test("the dashboard shows every metric of ours that an alert uses", () => {
  const metricsIn = (file: string) => new Set(readFileSync(file, "utf8").match(/\bfarwatch_\w+/g));
  const shown = metricsIn("deploy/dashboard.json");
  expect([...metricsIn("deploy/alerts.yaml")].filter((metric) => !shown.has(metric))).toEqual([]);
});
