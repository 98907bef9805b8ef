import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";

/** By folder: `--watch` alone loses a file that an editor replaced, and after a syntax error all files. */
const WATCHED = ["brand", "contract", "core", "server", "worker", "tools/dev"];

/** The API in a process of its own, which starts over whenever one of its files changes. */
export async function startWatchedApi(port: number, env: Record<string, string>) {
  const paths = WATCHED.map((folder) => `--watch-path=${folder}`);
  const watcher = spawn(process.execPath, ["--watch", ...paths, "--watch-preserve-output", "tools/dev/api.ts"], {
    env: { ...process.env, ...env, HOST: "127.0.0.1", PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  let state: "running" | "stopping" = "running";
  const exited = once(watcher, "exit");
  exited.then(() => {
    if (state === "running") throw new Error("The process that watches the API's files has ended");
  });
  return {
    /** Resolves when it responds, which after a syntax error is when that is mended. */
    async responds() {
      const isUp = () =>
        fetch(`http://127.0.0.1:${port}${STATS_PATH}`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isUp())) await setTimeout(100);
    },
    async stop() {
      state = "stopping";
      watcher.kill();
      await exited;
    },
  };
}
