import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { migrateDatabase } from "#server/database/migrate.ts";
import { openPostgres } from "./scratch-postgres.ts";

export interface RunningSite {
  origin: string;
  databaseUrl: string;
  stop(): Promise<void>;
}

/** The production server on the built site, as a process of its own, with a database (see openPostgres). */
export async function startSite(env: Record<string, string> = {}): Promise<RunningSite> {
  const postgres = await openPostgres();
  await migrateDatabase(postgres.url);

  const server = spawn(process.execPath, ["server/main.ts"], {
    env: { ...process.env, PORT: "0", ...env, DATABASE_URL: postgres.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(server, "exit");
  const origin = await Promise.race([
    new Promise<string>((resolve) => {
      createInterface(server.stdout).on("line", (line) => {
        const listening = /Server listening at (http:[^"]+)/.exec(line)?.[1];
        if (listening) resolve(listening);
      });
    }),
    exited.then(() => Promise.reject(new Error("The server did not start"))),
  ]).catch(async (reason) => {
    await postgres.stop();
    throw reason;
  });

  return {
    origin,
    databaseUrl: postgres.url,
    async stop() {
      server.kill("SIGTERM");
      await exited;
      await postgres.stop();
    },
  };
}
