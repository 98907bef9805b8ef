import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
} from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Database } from "#core/database/connect.ts";
import { migrate } from "#core/database/migrate.ts";
import { watchOnCall } from "#core/on-call/on-call-metrics.ts";
import { readLastSuccesses } from "#core/service/maintenance.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { fill } from "#tests/support/fill.ts";
import { machineBinaries } from "#tools/dev/postgres-binaries.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

/** PostgreSQL refuses to run as root, so root runs the commands as `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
// The unit needs Debian's PostgreSQL, and `nobody` can't read a checkout below /root.
const canRun =
  machineBinaries()?.startsWith("/usr/lib/postgresql/") &&
  spawnSync("test", ["-r", "cli/waitlist.ts"], user).status === 0;

/** The commands of the unit, in order, with this checkout as /srv/farwatch. A plus has systemd run one as root. */
const commands = [
  ...readFileSync("deploy/systemd/farwatch-nightly.service", "utf8").matchAll(/^ExecStart=\+?(.*)$/gm),
].map(([, command = ""]) => command.replaceAll("/srv/farwatch", process.cwd()).replaceAll("%%", "%"));

describe.skipIf(!canRun)("the nightly unit", { timeout: 120_000 }, () => {
  let folder: string;
  let postgres: ScratchPostgres;
  let db: Database;
  const backups = () => join(folder, "backups");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "farwatch-nightly-"));
    mkdirSync(join(backups(), "wal"), { recursive: true });
    for (const name of ["scratch", "cache"]) mkdirSync(join(folder, name));
    const paths = ["", "backups", "backups/wal", "scratch", "cache"];
    if (user.uid) for (const path of paths) chownSync(join(folder, path), user.uid, user.gid);
    const archive = /^archive_command = '(.*)'$/m.exec(readFileSync("deploy/archive.conf", "utf8"))?.[1] ?? "";
    const archiveCommand = archive.replaceAll("/backups", backups());
    postgres = await startScratchPostgres({ settings: ["archive_mode=on", `archive_command=${archiveCommand}`] });
    db = connect(postgres.url);
    await migrate(db);
  }, 120_000);
  afterAll(async () => {
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    for (const name of readdirSync(backups())) if (name !== "wal") rmSync(join(backups(), name), { recursive: true });
    await emptyWaitlist(db);
    await db.pool.query("insert into consent_wordings (version, wording) values (2, '') on conflict do nothing");
    await fill(db, 1000);
  });

  function run(command: string): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      const env = {
        PATH: `${machineBinaries()}:${process.env.PATH}`,
        DATABASE_URL: postgres.url,
        SECRET: "an operator's secret of 32 letters",
        TMPDIR: join(folder, "scratch"),
        NODE_COMPILE_CACHE: join(folder, "cache"),
      };
      const line = command.replaceAll("/backups", backups()).replaceAll("/etc/nginx/tls", folder);
      const child = execFile("/bin/sh", ["-c", line], { env, ...user }, (_failed, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
  }
  /** Runs the commands in order until one fails, like systemd. */
  const runNightly = () => run(commands.join(" && "));
  const back = commands.find((command) => command.includes("pg_basebackup")) ?? "";
  const check = commands.find((command) => command.includes("verify-backup.sh")) ?? "";
  const newest = () => join(backups(), globSync("base-*", { cwd: backups() }).sort().at(-1) ?? "");
  const recorded = async () => Object.keys(await readLastSuccesses(db.pool)).sort();
  const loseARow = () => db.pool.query("delete from sign_ups where id = (select max(id) from sign_ups)");
  const backUp = async () => expect(await run(back)).toMatchObject({ code: 0 });

  test("backs up, verifies the list, restores the backup and verifies it, and records each; also twice on one day", async () => {
    expect(await runNightly()).toMatchObject({ code: 0 });
    expect(await recorded()).toEqual(["backup", "certificate", "restore", "verify"]);
    await backUp();
    const output = `Backup check passed: ${newest()} was restored and verified\n`;
    expect(await run(check)).toEqual({ code: 0, output });
    expect(readdirSync(join(folder, "scratch"))).toEqual([]);
  });

  test("fails when the totals of the list are wrong, and records neither verify nor restore", async () => {
    await loseARow();
    expect(await runNightly()).toEqual({ code: 1, output: expect.stringContaining("WRONG") });
    expect(await recorded()).toEqual(["backup"]);
  });

  test("fails when the TLS certificate expires within two weeks, and doesn't record its check", async () => {
    const check = commands.slice(-2).join(" && ");
    const days = (count: number) =>
      execFileSync(
        "openssl",
        [
          ..."req -x509 -newkey rsa:2048 -nodes -subj /CN=farwatch.example -keyout /dev/null".split(" "),
          ...["-days", String(count), "-out", join(folder, "fullchain.pem")],
        ],
        { stdio: "ignore" },
      );
    days(13);
    expect((await run(check)).code).toBe(1);
    expect(await recorded()).not.toContain("certificate");
    days(15);
    expect((await run(check)).code).toBe(0);
    expect(await recorded()).toContain("certificate");
  });

  test("WAL that can't be archived shows in the metrics until it can", async () => {
    const [wal, elsewhere] = [join(backups(), "wal"), join(folder, "elsewhere")];
    const isFailing = async () => {
      await db.pool.query("select pg_logical_emit_message(true, '', ''), pg_switch_wal()");
      const metrics = createMetrics();
      watchOnCall(metrics, db);
      return /^farwatch_archive_failing (\d)$/m.exec(await metrics.registry.metrics())?.[1];
    };
    renameSync(wal, elsewhere);
    await expect.poll(isFailing, { interval: 500, timeout: 30_000 }).toBe("1");
    renameSync(elsewhere, wal);
    await expect.poll(isFailing, { interval: 500, timeout: 90_000 }).toBe("0");
  });

  async function expectFailure(reason: string): Promise<string> {
    const { code, output } = await run(check);
    expect(output.trimEnd().split("\n").at(-1)).toBe(`Backup check failed: ${reason}`);
    expect(code).toBe(1);
    expect(readdirSync(join(folder, "scratch"))).toEqual([]);
    return output;
  }
  const expectWrongTotal = async () =>
    expect(await expectFailure(`${newest()} can be restored, but waitlist verify finds errors in the copy`)).toMatch(
      /People +1,000 +999 +WRONG/,
    );

  test("verify-backup.sh fails on a backup with a truncated file", async () => {
    await backUp();
    for (const [name, length, reason] of [
      ["base.tar.gz", 1_000_000, "/base.tar.gz can't be unpacked"],
      ["pg_wal.tar.gz", 100, "/pg_wal.tar.gz can't be unpacked"],
      ["backup_manifest", 1000, " doesn't match its manifest"],
    ] as const) {
      const file = join(newest(), name);
      const whole = readFileSync(file);
      truncateSync(file, length);
      await expectFailure(newest() + reason);
      await writeFile(file, whole);
    }
  });

  test("verify-backup.sh fails on a backup that lacks a row, and shows which total is wrong", async () => {
    await loseARow();
    await backUp();
    await expectWrongTotal();
  });

  test("verify-backup.sh replays the archived WAL like a real restore, so it finds a row that is lost after the backup", async () => {
    await backUp();
    await loseARow();
    const { rows } = await db.pool.query("select pg_walfile_name(pg_switch_wal()) as segment");
    const segment = join(backups(), "wal", `${rows[0].segment}.gz`);
    await expect.poll(() => existsSync(segment), { timeout: 30_000 }).toBe(true);
    await expectWrongTotal();
    truncateSync(segment, 1000);
    await expectFailure(`PostgreSQL doesn't start from ${newest()}`);
  });

  test("verify-backup.sh fails when there is no backup", async () => {
    await expectFailure(`there is no backup in ${backups()}`);
  });
});
