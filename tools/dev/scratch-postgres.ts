import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
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

export type ScratchPostgres = Awaited<ReturnType<typeof startScratchPostgres>>;

/** The server in DATABASE_URL, or else a scratch one whose data is deleted when it stops. */
export async function openPostgres(): Promise<Postgres> {
  const url = process.env.DATABASE_URL;
  return url ? { url, stop: async () => {} } : startScratchPostgres();
}

interface ScratchOptions {
  binariesFor?: (scratch: string) => string;
  /** Server settings, each "name=value". */
  settings?: string[];
  within?: string;
  /** The URL of a primary to replicate, instead of starting empty. */
  standbyOf?: string;
}

const SETPRIV = "/usr/bin/setpriv";
const LOCALE = ["--encoding=UTF8", "--no-locale"];

/** A PostgreSQL on a free loopback port, with its data in a temporary folder. */
export async function startScratchPostgres({
  binariesFor = postgresBinaries,
  settings = [],
  within = tmpdir(),
  standbyOf,
}: ScratchOptions = {}) {
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

    const [setUp, ...setUpArgs] = standbyOf
      ? ["pg_basebackup", "--dbname", standbyOf, "--write-recovery-conf", "--checkpoint=fast"]
      : ["initdb", "--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`, ...LOCALE];
    await promisify(execFile)(join(binaries, setUp), [...setUpArgs, "--pgdata", data], options);

    const port = await freePort();
    const defaults = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];
    const args = ["-D", data, "-p", String(port), ...[...defaults, ...settings].flatMap((setting) => ["-c", setting])];
    const launch = () => startPostgres(join(binaries, "postgres"), args, options);
    let { server, exited } = await launch();

    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      /** For drills: the postmaster's process id. */
      pid: () => server.pid ?? 0,
      /** For tests: the first lines of PostgreSQL's log. */
      stderr: () => server.stderr,
      /** For drills: waits until PostgreSQL has exited, then starts it again with the same data and port. */
      async restart() {
        await exited;
        ({ server, exited } = await launch());
      },
      async stop() {
        server.kill("SIGINT");
        await exited;
        await rm(scratch, { recursive: true, force: true });
      },
    };
  } catch (reason) {
    await rm(scratch, { recursive: true, force: true });
    throw new Error("PostgreSQL did not start", { cause: reason });
  }
}

async function startPostgres(program: string, args: string[], options: { cwd: string; uid?: number; gid?: number }) {
  // In its own process group, so that Ctrl-C reaches only us, and we stop PostgreSQL after the programs that use it. If
  // we are killed, Linux stops PostgreSQL.
  const [command = "", ...rest] = [...(existsSync(SETPRIV) ? [SETPRIV, "--pdeathsig=INT"] : []), program, ...args];
  const server = spawn(command, rest, { ...options, stdio: ["ignore", "ignore", "pipe"], detached: true });
  const exited = once(server, "exit");
  const stderr: string[] = [];
  const ready = new Promise<void>((resolve) => {
    createInterface(server.stderr).on("line", (line) => {
      if (stderr.length < 50) stderr.push(line);
      if (/ready to accept (read-only )?connections/.test(line)) resolve();
    });
  });
  await Promise.race([ready, exited.then(() => Promise.reject(new Error(stderr.join("\n"))))]);
  return { server, exited };
}

/** PostgreSQL refuses to run as root, so root runs it as the user "nobody" (65534). */
function unprivileged(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
}
