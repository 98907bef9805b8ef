import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { openPostgres } from "./scratch-postgres.ts";

export type RunningServer = Awaited<ReturnType<typeof startProgram>>;
export type RunningSite = Awaited<ReturnType<typeof startSite>>;

/** The production server with the built site, in a separate process, on the database from openPostgres(). */
export async function startSite(env: Record<string, string> = {}) {
  // Stops PostgreSQL if the server doesn't start.
  await using starting = new AsyncDisposableStack();
  const postgres = starting.adopt(await openPostgres(), (started) => started.stop());
  await migrateDatabase(postgres.url);
  const server = starting.adopt(await startServer({ ...env, DATABASE_URL: postgres.url }), (started) => started.stop());
  const running = starting.move();
  return { ...server, databaseUrl: postgres.url, stop: () => running.disposeAsync() };
}

/** The production server on an already migrated database. `release` is the folder of another version. */
export async function startServer(env: Record<string, string>, wrapper: string[] = [], release = ".") {
  return startProgram([`${release}/server/main.ts`], env, wrapper);
}

/** Any of our programs that logs the address it listens on. `wrapper` is a command that runs it, such as `nice`. */
export async function startProgram(args: string[], env: Record<string, string> = {}, wrapper: string[] = []) {
  const [command = "", ...rest] = [...wrapper, process.execPath, ...args];
  const server = spawn(command, rest, {
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const lines: string[] = [];
  const origin = await Promise.race([
    new Promise<string>((resolve) => {
      createInterface(server.stdout).on("line", (line) => {
        lines.push(line);
        const listening = /Server listening at (http:[^"]+)/.exec(line)?.[1];
        if (listening) resolve(listening);
      });
    }),
    exited.then(() => Promise.reject(new Error("The server did not start"))),
  ]);
  return {
    origin,
    pid: server.pid ?? 0,
    log: () => lines.join("\n"),
    async stop() {
      server.kill("SIGTERM");
      await exited;
    },
  };
}
