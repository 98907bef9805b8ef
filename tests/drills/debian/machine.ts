import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, createWriteStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { until } from "#tests/drills/harness/until.ts";
import { descendantsOf } from "#tests/support/process-tree.ts";

export interface MachineOptions {
  name: string;
  /** The machine's file system. */
  root: string;
  networkNamespace: string;
  /** A folder of the host, mounted as /backups. */
  backups: string;
  /** A file that records the console, and the drills' commands with their output. */
  log: string;
}

export type Machine = ReturnType<typeof createMachine>;

/** Adds the host's CAs, for TLS proxies between the machine and the package registries. */
const SHELL_ENV = {
  HOME: "/root",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/ca-certificates.crt",
};
const END_OF_BLOCK = "--- end of block ---";

/** A Debian in a container, with systemd and a root shell. */
export function createMachine({ name, root, networkNamespace, backups, log }: MachineOptions) {
  // In a shared cgroup, systemd would find processes of other machines.
  const cgroup = join(mountedCgroups(), networkNamespace);
  let container: ChildProcess | undefined;
  let init = 0;
  let shell: ChildProcessWithoutNullStreams | undefined;
  let lines: AsyncIterator<string> | undefined;
  mkdirSync(dirname(log), { recursive: true });
  const record = createWriteStream(log, { flags: "a" });
  const inside = (...command: string[]): [string, string[]] => ["nsenter", ["--all", `--target=${init}`, ...command]];
  // A failed unit, such as one that waits for another machine, makes the system "degraded".
  const isBooted = () => /running|degraded/.test(String(spawnSync(...inside("systemctl", "is-system-running")).stdout));

  /** Kills every process, like a power failure. Does nothing if the machine is off. */
  async function kill(): Promise<void> {
    if (!container || container.exitCode !== null) return;
    const exited = once(container, "exit");
    if (init) process.kill(init, "SIGKILL");
    else container.kill("SIGKILL");
    container = undefined;
    await exited;
  }

  return {
    name,
    kill,
    async boot() {
      const options = [
        ...["--quiet", "--register=no", "--keep-unit", "--boot", "--resolv-conf=copy-host", "--console=read-only"],
        ...[`--directory=${root}`, `--network-namespace-path=/run/netns/${networkNamespace}`],
        `--bind=${backups}:/backups`,
        // Required by systemd's IP address filters.
        ...["--capability=CAP_BPF,CAP_NET_ADMIN,CAP_PERFMON", "--system-call-filter=bpf"],
      ];
      mkdirSync(cgroup, { recursive: true });
      const enter = `echo $$ >${cgroup}/cgroup.procs; exec "$@"`;
      container = spawn("sh", ["-c", enter, "sh", "systemd-nspawn", ...options, "systemd.show_status=no"], {
        env: { PATH: process.env.PATH, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      container.stdout?.pipe(record, { end: false });
      container.stderr?.pipe(record, { end: false });
      const { pid = 0 } = container;
      init = 0;
      init = await until(`${name} has a first process`, () => descendantsOf(pid).find(isInit));
      await until(`${name} has booted`, isBooted);
      shell = spawn(...inside("bash", "--noprofile", "--norc"), { env: SHELL_ENV, stdio: "pipe" });
      shell.stderr.pipe(record, { end: false });
      lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
      shell.stdin.write("set -exo pipefail; cd\n");
    },
    /** Types a block of commands into the root shell and returns their output. Throws if one of them fails. */
    async type(commands: string): Promise<string> {
      if (!shell || !lines) throw new Error(`Machine ${name} isn't running`);
      writeFileSync(join(root, "opt/drill/block"), `${commands}\n`);
      shell.stdin.write(`source /opt/drill/block </dev/null; { echo; echo "${END_OF_BLOCK}"; } 2>/dev/null\n`);
      const printed: string[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        record.write(`${line.value}\n`);
        if (line.value === END_OF_BLOCK) return printed.join("\n").trim();
        printed.push(line.value);
      }
      const lastLines = readFileSync(log, "utf8").split("\n").slice(-40).join("\n");
      throw new Error(`A command failed on machine ${name}; the last lines of ${log}:\n${lastLines}`);
    },
    /** Saves the log of the machine's services, then kills the machine. */
    async stop() {
      if (container && init) appendFileSync(log, spawnSync(...inside("journalctl", "--no-pager")).stdout);
      await kill();
      spawnSync("find", [cgroup, "-depth", "-type", "d", "-exec", "rmdir", "{}", ";"]);
    },
  };
}

function mountedCgroups(): string {
  const [, path] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync("/proc/mounts", "utf8")) ?? [];
  if (!path) throw new Error("No cgroup2 is mounted");
  return path;
}

/** Whether the process has the ID 1 inside a container. */
function isInit(pid: number): boolean {
  try {
    return /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // The process has just ended.
    return false;
  }
}
