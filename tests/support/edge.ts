import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#tools/dev/free-port.ts";
import { untilServes } from "./until-serves.ts";

export interface Edge {
  origin: string;
  /** One of Varnish's counters, such as cache_hit. */
  count(counter: string): number;
  /** Everything still in Varnish's in-memory log. */
  log(): string;
  stop(): Promise<void>;
}

/** Varnish with the configuration and parameters we ship, pointed at the given origin port. */
export function startEdge(originPort: number): Promise<Edge> {
  const vcl = readFileSync("deploy/varnish.vcl", "utf8");
  const parameters = vcl.match(/-p \S+/g)?.flatMap((parameter) => parameter.split(" "));
  return startVarnish(vcl.replace('.port = "3000"', `.port = "${originPort}"`), parameters);
}

export async function startVarnish(vcl: string, extraArgs: string[] = []): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-edge-"));
  // Varnish's worker process runs as another user and must read this folder.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "edge.vcl"), vcl);
  const port = await freePort();
  const args = ["-n", join(folder, "varnish"), "-a", `127.0.0.1:${port}`, "-f", join(folder, "edge.vcl")];
  const varnishd = spawn("varnishd", ["-F", ...args, "-s", "malloc,64m", ...extraArgs], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(varnishd, "exit");
  let stderr = "";
  varnishd.stderr.on("data", (text) => {
    stderr += text;
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilServes(varnishd, origin).catch((reason) => {
    rmSync(folder, { recursive: true });
    throw new Error(stderr, { cause: reason });
  });
  const run = (tool: string, option: string) =>
    execFileSync(tool, ["-n", join(folder, "varnish"), option], { encoding: "utf8", maxBuffer: 1024 ** 3 });
  return {
    origin,
    count: (counter) => JSON.parse(run("varnishstat", "-j")).counters[`MAIN.${counter}`].value,
    log: () => run("varnishlog", "-d"),
    async stop() {
      varnishd.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
