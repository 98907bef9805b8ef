import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testAlertRules } from "#tests/support/alert-rules.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "farwatch-ha-policy-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" });

// A developer's machine may not have systemd; CI always does.
describe.skipIf(!existsSync("/usr/bin/systemd-analyze"))("systemd-analyze", () => {
  const units = globSync("*.service", { cwd: "deploy/ha/systemd" });
  /** verify looks for the programs that a unit starts; Patroni and etcd may not be installed. */
  beforeAll(() => {
    cpSync("deploy/systemd", folder, { recursive: true });
    cpSync("deploy/ha/systemd", folder, { recursive: true });
    for (const unit of globSync("*.service", { cwd: folder })) {
      const text = readFileSync(join(folder, unit), "utf8").replaceAll("/srv/farwatch", process.cwd());
      writeFileSync(join(folder, unit), text.replaceAll(/\/usr\/s?bin\/(patroni|etcd|haproxy)\b/g, "/bin/true"));
    }
  });

  test.each([...units, "farwatch-nightly.service"])("rates the exposure of %s at 2.0 of 10 or less", (unit) => {
    const { status, stdout } = run(
      "systemd-analyze",
      "--no-pager",
      "security",
      "--offline=yes",
      "--threshold=20",
      join(folder, unit),
    );
    expect(stdout).toContain("Overall exposure level");
    expect(status).toBe(0);
  });

  test.each([...units, "farwatch-nightly.service"])("reports no problem with %s", (unit) => {
    const { status, stderr } = run("systemd-analyze", "--no-pager", "verify", "--man=no", join(folder, unit));
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });
});

test("Patroni uses etcd's v2 API, on which a frozen primary can't take its key back", () => {
  expect(readFileSync("deploy/ha/etcd.env", "utf8")).toMatch(/^ETCD_ENABLE_V2=true$/m);
  expect(readFileSync("deploy/ha/patroni.yaml", "utf8")).not.toMatch(/etcd3/i);
  expect(readFileSync("docs/high-availability.md", "utf8")).not.toMatch(/PATRONI_ETCD3_HOSTS=/);
});

const RULES = resolve("deploy/ha/alerts.yaml");
const GUIDE = "docs/high-availability.md";

test("every alert of the cluster links to its section of the guide", () => {
  const rules = readFileSync(RULES, "utf8");
  const headings = readFileSync(GUIDE, "utf8")
    .match(/(?<=^### ).+$/gm)
    ?.map((heading) => heading.toLowerCase());
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name.toLowerCase());
  expect([...rules.matchAll(/high-availability\.md#(\w+)/g)].map(([, anchor]) => anchor)).toEqual(alerts);
  for (const alert of alerts) expect(headings).toContain(alert);
});

/** Samples one minute apart, by series; the first is at 1970-01-01 00:00. */
type Series = Record<string, string>;
interface RuleTest {
  at: string;
  fires: Series[];
  silent: Series[];
}

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

const RULE_TESTS: Record<string, RuleTest> = {
  NoPrimary: {
    at: "5m",
    fires: [{ [on("primary", 1)]: "0x60" }, {}],
    silent: [healthy, { [on("primary", 1)]: "1 1 1 1 0 1" }],
  },
  OneCopy: { at: "5m", fires: [{ ...healthy, [on("sync_standby", 2)]: "0x60" }], silent: [healthy] },
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
  EtcdUnreachable: { at: "5m", fires: [{ [on("dcs_last_seen", 1)]: "0x60" }], silent: [healthy] },
  PrimaryChanged: { at: "20m", fires: [{ [on("postgres_timeline", 1)]: "3x10 4x40" }], silent: [healthy] },
  FailoverPaused: {
    at: "70m",
    fires: [{ [on("is_paused", 1)]: "1x80" }],
    silent: [{ [on("is_paused", 1)]: "0x60 1x20" }],
  },
};

test("every alert of the cluster has a test of its rule", () => {
  expect([...readFileSync(RULES, "utf8").matchAll(/- alert: (\w+)/g)].map(([, name]) => name)).toEqual(
    Object.keys(RULE_TESTS),
  );
});

testAlertRules(RULES, RULE_TESTS);
