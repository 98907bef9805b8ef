import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Owner, type Program, signalAll, start, withChildren } from "./processes.ts";

export interface NodeOptions {
  name: string;
  scratch: string;
  port: number;
  patroniPort: number;
  /** Patroni's settings, as a file's text. */
  settings: string;
  /** What /etc/farwatch/patroni has on every machine. */
  env: Record<string, string>;
  owner: Owner;
}

/** One machine's PostgreSQL and the Patroni that runs it. */
export interface PatroniNode {
  name: string;
  port: number;
  patroniPort: number;
  start(): void;
  /** Whether Patroni has been started, and not killed since. */
  isRunning(): boolean;
  /** kill -9 of PostgreSQL and Patroni, like a power failure. */
  kill(): Promise<void>;
  /** Stops both in an orderly way, like systemd. */
  stop(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT", which?: "both" | "Patroni"): void;
  /** Freezes the processes that send WAL to the standbys. */
  freezeWalSenders(): void;
  psql(statement: string, database?: string): Promise<void>;
  patronictl(...args: string[]): Promise<string>;
}

export async function createNode(options: NodeOptions): Promise<PatroniNode> {
  const { name, scratch, port, patroniPort, owner } = options;
  const folder = join(scratch, name);
  const data = join(folder, "data");
  const settings = join(scratch, `${name}.yaml`);
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, owner.uid, owner.gid);
  writeFileSync(settings, options.settings.replaceAll("/run/postgresql", folder));
  const env = {
    PATH: process.env.PATH,
    LC_ALL: "C.UTF-8",
    PATRONI_NAME: name,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${patroniPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${patroniPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_PGPASS: join(folder, "pgpass"),
    ...options.env,
  };
  const run = promisify(execFile);
  let patroni: Program | undefined;
  /** Empty while PostgreSQL isn't running. */
  const postgresPids = () => {
    try {
      const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
      return withChildren(postmaster);
    } catch {
      return [];
    }
  };

  return {
    name,
    port,
    patroniPort,
    start() {
      patroni = start("patroni", [settings], join(scratch, `${name}.log`), { env, cwd: folder, ...owner });
    },
    isRunning: () => patroni !== undefined,
    async kill() {
      const ended = patroni?.end("SIGKILL");
      patroni = undefined;
      signalAll(postgresPids(), "SIGKILL");
      await ended;
    },
    async stop() {
      await patroni?.end("SIGTERM");
      patroni = undefined;
    },
    signal(signal, which = "both") {
      const patroniPids = patroni ? withChildren(patroni.pid) : [];
      signalAll(which === "both" ? [...patroniPids, ...postgresPids()] : patroniPids, signal);
    },
    freezeWalSenders() {
      signalAll(postgresPids().filter(isWalSender), "SIGSTOP");
    },
    async psql(statement, database = "postgres") {
      const args = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", folder, "-p", String(port), "-d", database];
      await run("psql", [...args, "-c", statement], { env: { PATH: process.env.PATH }, cwd: folder, ...owner });
    },
    async patronictl(...args) {
      const { stdout } = await run("patronictl", ["-c", settings, ...args], { env, cwd: folder, ...owner });
      return stdout;
    },
  };
}

function isWalSender(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("walsender");
  } catch {
    // It has ended since it was listed.
    return false;
  }
}
