import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const FILES = globSync("deploy/{,ha/}systemd/*.service");
/** The folders of units for a single machine, and for each machine of a cluster. */
const SETUPS = { single: ["deploy/systemd"], cluster: ["deploy/systemd", "deploy/ha/systemd"] };
/** An exposure of 2.0, given in tenths. An unrestricted service has 10.0. */
const MAX_EXPOSURE = "--threshold=20";

test("no unit runs as the owner of the tables", () => {
  const users = FILES.map((file) => /^User=(.*)$/m.exec(readFileSync(file, "utf8"))?.[1]);
  expect(users).toEqual(expect.arrayContaining(["farwatch_serve", "farwatch_work", "farwatch_console"]));
  expect(users).not.toContain("farwatch");
});

test("servers, console and mail worker each have a private port for health checks and metrics", () => {
  const services = FILES.filter((file) => /^ExecStart=.*main\.ts$/m.test(readFileSync(file, "utf8")));
  const ports = services.map((file) => /\bPRIVATE_PORT=(\S+)/.exec(readFileSync(file, "utf8"))?.[1] ?? file);
  expect(ports.sort()).toEqual(["1%i", "13003", "13004"]);
});

test("the watchdog restarts a frozen server or console that isn't ready, or a frozen mail worker that isn't alive", () => {
  const units = FILES.map((file) => readFileSync(file, "utf8")).filter((text) => text.includes("main.ts"));
  const watched = units.filter((text) =>
    ["Type=notify", "WatchdogSec=5"].every((line) => text.includes(`\n${line}\n`)),
  );
  const checks = watched.map((text) => /^ExecStart=.*\/run-watched.sh (\S+)/m.exec(text)?.[1]);
  expect(checks.sort()).toEqual(["1%i/ready", "13003/ready", "13004/live"]);
});

test.each(FILES)("%s sets nothing that hardening.conf overrides", (unit) => {
  const settingsOf = (path: string): string[] => readFileSync(path, "utf8").match(/^\w+(?==)/gm) ?? [];
  const overridden = settingsOf("deploy/systemd/farwatch-.service.d/hardening.conf");
  expect(settingsOf(unit).filter((setting) => overridden.includes(setting))).toEqual([]);
});

// A developer's machine may not have systemd; CI always does.
describe.skipIf(!existsSync("/usr/bin/systemd-analyze")).each(Object.entries(SETUPS))(
  "a %s setup",
  (_setup, sources) => {
    const units = sources.flatMap((cwd) => globSync("*.service", { cwd }));
    let folder: string;
    /** `verify` needs programs that exist: ours come from this checkout, and /bin/true replaces the cluster's. */
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "farwatch-units-"));
      for (const source of sources) cpSync(source, folder, { recursive: true });
      for (const unit of units) {
        const text = readFileSync(join(folder, unit), "utf8").replaceAll("/srv/farwatch", process.cwd());
        writeFileSync(join(folder, unit), text.replaceAll(/\/usr\/s?bin\/(patroni|etcd|haproxy)\b/g, "/bin/true"));
      }
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const analyze = (...args: string[]) =>
      spawnSync("systemd-analyze", ["--no-pager", ...args], { cwd: folder, encoding: "utf8" });
    const secure = (unit: string) => analyze("security", "--offline=yes", MAX_EXPOSURE, join(folder, unit));
    const verify = (unit: string) => analyze("verify", "--man=no", join(folder, unit.replace("@.", "@3001.")));

    test.each(units)("rates the exposure of %s at 2.0 of 10 or less", (unit) => {
      const { status, stdout } = secure(unit);
      expect(stdout).toContain("Overall exposure level");
      expect(status).toBe(0);
    });

    test.each([...units, "farwatch-nightly.timer"])("reports no problem with %s", (unit) => {
      expect(verify(unit)).toMatchObject({ status: 0, stderr: "" });
    });

    test("rejects an unrestricted unit and reports a misspelled setting", () => {
      writeFileSync(join(folder, "open.service"), "[Service]\nExecStart=/bin/true\nPrivateTemp=yes\n");
      expect(secure("open.service").status).not.toBe(0);
      expect(verify("open.service").stderr).toContain("PrivateTemp");
    });
  },
);

test("Patroni uses etcd's v2 API, on which a frozen primary can't take its key back", () => {
  expect(readFileSync("deploy/ha/etcd.env", "utf8")).toMatch(/^ETCD_ENABLE_V2=true$/m);
  expect(readFileSync("deploy/ha/patroni.yaml", "utf8")).not.toMatch(/etcd3/i);
  expect(readFileSync("docs/high-availability.md", "utf8")).not.toMatch(/PATRONI_ETCD3_HOSTS=/);
});
