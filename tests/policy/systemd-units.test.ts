import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const UNITS = globSync("*.service", { cwd: "deploy/systemd" });
/** An exposure of 2.0, in tenths; an unrestricted service has 10.0. */
const MAX_EXPOSURE = "--threshold=20";

test("no unit runs as the owner of the tables", () => {
  const users = UNITS.map((unit) => /^User=(.*)$/m.exec(readFileSync(join("deploy/systemd", unit), "utf8"))?.[1]);
  expect(users).toContain("farwatch_serve");
  expect(users).not.toContain("farwatch");
});

test.each(globSync("deploy/{,ha/}systemd/*.service"))("%s sets nothing that hardening.conf overrides", (unit) => {
  const settingsOf = (path: string): string[] => readFileSync(path, "utf8").match(/^\w+(?==)/gm) ?? [];
  const overridden = settingsOf("deploy/systemd/farwatch-.service.d/hardening.conf");
  expect(settingsOf(unit).filter((setting) => overridden.includes(setting))).toEqual([]);
});

// A developer's machine may not have systemd; CI always does.
describe.skipIf(!existsSync("/usr/bin/systemd-analyze"))("systemd-analyze", () => {
  let folder: string;
  /** verify looks for the programs that a unit starts, so /srv/farwatch becomes this checkout. */
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "farwatch-units-"));
    cpSync("deploy/systemd", folder, { recursive: true });
    for (const unit of UNITS) {
      const text = readFileSync(join(folder, unit), "utf8");
      writeFileSync(join(folder, unit), text.replaceAll("/srv/farwatch", process.cwd()));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const analyze = (...args: string[]) =>
    spawnSync("systemd-analyze", ["--no-pager", ...args], { cwd: folder, encoding: "utf8" });
  const secure = (unit: string) => analyze("security", "--offline=yes", MAX_EXPOSURE, join(folder, unit));
  const verify = (unit: string) => analyze("verify", "--man=no", join(folder, unit.replace("@.", "@3001.")));

  test.each(UNITS)("rates the exposure of %s at 2.0 of 10 or less", (unit) => {
    const { status, stdout } = secure(unit);
    expect(stdout).toContain("Overall exposure level");
    expect(status).toBe(0);
  });

  test.each([...UNITS, "farwatch-nightly.timer"])("reports no problem with %s", (unit) => {
    const { status, stderr } = verify(unit);
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("rejects an unrestricted unit and reports a misspelled setting", () => {
    writeFileSync(join(folder, "open.service"), "[Service]\nExecStart=/bin/true\nPrivateTemp=yes\n");
    expect(secure("open.service").status).not.toBe(0);
    expect(verify("open.service").stderr).toContain("PrivateTemp");
  });
});
