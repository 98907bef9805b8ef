import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";

/** Watches folders, because `--watch` alone loses a file after an atomic save, and all files after a syntax error. */
const WATCHED =
  "brand contract core server worker tools/dev console/api console/contract console/http console/json".split(" ");

export async function startWatchedApi(port: number, env: Record<string, string>) {
  const paths = WATCHED.map((folder) => `--watch-path=${folder}`);
  const watcher = spawn(process.execPath, ["--watch", ...paths, "--watch-preserve-output", "tools/dev/api.ts"], {
    env: { ...process.env, ...env, HOST: "127.0.0.1", PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(watcher, "exit");
  exited.then(() => {
    if (!watcher.killed) throw new Error("The process that watches the API's files has exited");
  });
  return {
    /** Resolves when the API responds; after a syntax error, only once you have fixed it. */
    async responds() {
      const stats = `http://127.0.0.1:${port}${STATS_PATH}`;
      while (!(await fetch(stats).catch(() => undefined))?.ok) await setTimeout(100);
    },
    async stop() {
      watcher.kill();
      await exited;
    },
  };
}
