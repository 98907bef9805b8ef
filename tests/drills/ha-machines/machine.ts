import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, createWriteStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { descendantsOf } from "#tests/support/process-tree.ts";

export interface MachineOptions {
  name: string;
  /** Its file system. */
  root: string;
  networkNamespace: string;
  /** A folder that several machines share. */
  backups?: string;
  /** Where its console and what is typed into it are recorded. */
  log: string;
}

/** A Debian that runs in a container of its own, with systemd, and a root shell in it. */
export interface Machine {
  name: string;
  root: string;
  boot(): Promise<void>;
  /** Types commands into the root shell, as one block, and returns what they print. Throws if one of them fails. */
  type(commands: string): Promise<string>;
  /** Adds the log of its services to its record. */
  recordJournal(): void;
  /** Kills every process, like a power failure. Does nothing if it is off. */
  kill(): Promise<void>;
  powerOff(): Promise<void>;
}

const BOOT_TIMEOUT_MS = 120_000;
/** In addition to the host's own CAs, for TLS proxies between it and the package registries. */
const SHELL_ENV = {
  HOME: "/root",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  NODE_EXTRA_CA_CERTS: "/etc/ssl/certs/ca-certificates.crt",
};
const MAX_JOURNAL_BYTES = 64 * 1024 * 1024;
const END_OF_BLOCK = "--- end of block ---";

export function createMachine({ name, root, networkNamespace, backups, log }: MachineOptions): Machine {
  let container: ChildProcess | undefined;
  let init = 0;
  let shell: ChildProcessWithoutNullStreams | undefined;
  let lines: AsyncIterator<string> | undefined;
  const record = createWriteStream(log, { flags: "a" });
  const inside = (...command: string[]): [string, string[]] => ["nsenter", ["--all", `--target=${init}`, ...command]];

  async function end(): Promise<void> {
    const exited = container && once(container, "exit");
    container = undefined;
    await exited;
  }

  const machine: Machine = {
    name,
    root,
    async boot() {
      init = 0;
      container = spawn(
        "systemd-nspawn",
        [
          ...["--quiet", "--register=no", "--keep-unit", "--boot", `--directory=${root}`, "--resolv-conf=copy-host"],
          `--network-namespace-path=/run/netns/${networkNamespace}`,
          ...(backups ? [`--bind=${backups}:/backups`] : []),
          // For systemd's IP address filters.
          ...["--capability=CAP_BPF,CAP_NET_ADMIN,CAP_PERFMON", "--system-call-filter=bpf", "--console=read-only"],
          "systemd.show_status=no",
        ],
        { env: { PATH: process.env.PATH, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" }, stdio: ["ignore", "pipe", "pipe"] },
      );
      container.stdout?.pipe(record, { end: false });
      container.stderr?.pipe(record, { end: false });
      init = await readInit(container);
      await untilBooted(name, inside("systemctl", "is-system-running"));
      const [program, args] = inside("bash", "--noprofile", "--norc");
      shell = spawn(program, args, { env: SHELL_ENV, stdio: "pipe" });
      shell.stderr.pipe(record, { end: false });
      lines = createInterface(shell.stdout)[Symbol.asyncIterator]();
      shell.stdin.write("set -exo pipefail; cd\n");
    },
    async type(commands) {
      mkdirSync(join(root, "opt/drill"), { recursive: true });
      writeFileSync(join(root, "opt/drill/block"), `${commands}\n`);
      if (!shell || !lines) throw new Error(`Machine ${name} isn't running`);
      shell.stdin.write(`source /opt/drill/block </dev/null; { echo; echo "${END_OF_BLOCK}"; } 2>/dev/null\n`);
      const printed: string[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        record.write(`${line.value}\n`);
        if (line.value === END_OF_BLOCK) return printed.join("\n").trim();
        printed.push(line.value);
      }
      throw new Error(`A command failed on machine ${name}; the last lines of ${log}:\n${lastLines(log)}`);
    },
    recordJournal() {
      if (!container || !init) return;
      const [program, args] = inside("journalctl", "--no-pager", "--no-hostname");
      appendFileSync(log, spawnSync(program, args, { maxBuffer: MAX_JOURNAL_BYTES }).stdout);
    },
    async kill() {
      if (!container) return;
      if (init) process.kill(init, "SIGKILL");
      else container.kill("SIGKILL");
      await end();
    },
    async powerOff() {
      // Closed first: nsenter stops with the processes that the shutdown stops, and would never continue.
      const closed = shell && once(shell, "exit");
      shell?.stdin.end();
      await closed;
      spawnSync(...inside("systemctl", "--no-block", "poweroff"));
      await end();
    },
  };
  return machine;
}

/** Finds the machine's first process, which is number 1 in there. */
async function readInit({ pid = 0 }: ChildProcess): Promise<number> {
  for (const startedAt = performance.now(); performance.now() - startedAt < BOOT_TIMEOUT_MS; await pause(200)) {
    const first = descendantsOf(pid).find((child) => /^NSpid:.*\t1$/m.test(readStatus(child)));
    if (first) return first;
  }
  throw new Error("The machine has no first process");
}

/** Empty if the process has ended. */
function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

async function untilBooted(name: string, [program, args]: [string, string[]]): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < BOOT_TIMEOUT_MS; await pause(500)) {
    // A unit that failed, such as one that waits for another machine, makes it degraded.
    if (/running|degraded/.test(spawnSync(program, args, { encoding: "utf8" }).stdout)) return;
  }
  throw new Error(`Machine ${name} did not boot`);
}

function lastLines(path: string): string {
  return readFileSync(path, "utf8").split("\n").slice(-60).join("\n");
}
