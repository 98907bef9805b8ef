import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { postgresBinaries } from "./postgres-binaries.ts";

export interface Postgres {
  url: string;
  stop(): Promise<void>;
}

export interface ScratchPostgres extends Postgres {
  /** For drills: the process that started all its others. */
  pid(): number;
  /** For drills: whether it has stopped, by itself or because it was told to. */
  hasEnded(): boolean;
  /** For drills: once it is dead, the same data is served again at the same address. */
  restart(): Promise<void>;
}

/** The server that DATABASE_URL names, or one of our own that is gone when it stops. */
export async function openPostgres(): Promise<Postgres> {
  const url = process.env.DATABASE_URL;
  return url ? { url, stop: async () => {} } : startScratchPostgres();
}

export interface ScratchOptions {
  binariesFor?: (scratch: string) => string;
  /** As in postgresql.conf, each "name=value". */
  settings?: string[];
  /** Where its folder is made. */
  within?: string;
  /** The address of another one, which it follows instead of starting empty. */
  standbyOf?: string;
}

const LOCALE = ["--encoding=UTF8", "--no-locale"];

/** A PostgreSQL on a free loopback port, in a temporary folder of its own. */
export async function startScratchPostgres({
  binariesFor = postgresBinaries,
  settings = [],
  within = tmpdir(),
  standbyOf,
}: ScratchOptions = {}): Promise<ScratchPostgres> {
  const scratch = await mkdtemp(join(within, "farwatch-postgres-"));
  const data = join(scratch, "data");
  const password = standbyOf ? new URL(standbyOf).password : randomBytes(18).toString("base64url");
  const passwordFile = join(scratch, "password");
  const owner = unprivileged();
  try {
    const binaries = binariesFor(scratch);
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (owner) for (const path of [scratch, passwordFile]) await chown(path, owner.uid, owner.gid);
    const options = { cwd: scratch, ...owner };

    const [setUp, ...how] = standbyOf
      ? ["pg_basebackup", "--dbname", standbyOf, "--write-recovery-conf", "--checkpoint=fast"]
      : ["initdb", "--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, ...LOCALE];
    await promisify(execFile)(join(binaries, setUp), [...how, "--pgdata", data], options);

    const port = await freePort();
    const ours = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];
    const args = ["-D", data, "-p", String(port), ...[...ours, ...settings].flatMap((setting) => ["-c", setting])];
    const launch = () => startPostgres(join(binaries, "postgres"), args, options);
    let server = await launch();

    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      pid: () => server.pid,
      hasEnded: () => server.hasEnded(),
      async restart() {
        await server.exited;
        server = await launch();
      },
      async stop() {
        server.interrupt();
        await server.exited;
        await rm(scratch, { recursive: true, force: true });
      },
    };
  } catch (reason) {
    await rm(scratch, { recursive: true, force: true });
    throw new Error("PostgreSQL did not start", { cause: reason });
  }
}

/** Resolves when it takes connections. */
async function startPostgres(program: string, args: string[], options: { cwd: string; uid?: number; gid?: number }) {
  // A group of its own, so that Ctrl-C reaches us first and we stop it when nothing needs it any more.
  const server = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"], detached: true });
  const exited = once(server, "exit");
  const said: string[] = [];
  const ready = new Promise<void>((resolve) => {
    createInterface(server.stderr).on("line", (line) => {
      if (said.length < 50) said.push(line);
      if (/ready to accept (read-only )?connections/.test(line)) resolve();
    });
  });
  await Promise.race([ready, exited.then(() => Promise.reject(new Error(said.join("\n"))))]);
  return {
    pid: server.pid ?? 0,
    exited,
    hasEnded: () => server.exitCode !== null || server.signalCode !== null,
    interrupt: () => server.kill("SIGINT"),
  };
}

/** PostgreSQL refuses to run as root; root hands it to the user that owns nothing. */
function unprivileged(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
}
