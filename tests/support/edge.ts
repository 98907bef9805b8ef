import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#tools/dev/free-port.ts";
import { untilServes } from "./until-serves.ts";

export interface Edge {
  origin: string;
  /** One of Varnish's own counters, such as cache_hit. */
  count(counter: string): number;
  /** All that it remembers of what it did. */
  log(): string;
  stop(): Promise<void>;
}

/** Varnish with the configuration that we ship, but for the port of the origin, and with the settings it asks for. */
export function startEdge(originPort: number): Promise<Edge> {
  const vcl = readFileSync("deploy/varnish.vcl", "utf8");
  const settings = vcl.match(/-p \S+/g)?.flatMap((setting) => setting.split(" "));
  return startVarnish(vcl.replace('.port = "3000"', `.port = "${originPort}"`), settings);
}

export async function startVarnish(vcl: string, args: string[] = []): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-edge-"));
  // Varnish itself runs as a user of its own, and looks in there.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "edge.vcl"), vcl);
  const port = await freePort();
  const where = ["-n", join(folder, "varnish"), "-a", `127.0.0.1:${port}`, "-f", join(folder, "edge.vcl")];
  const varnishd = spawn("varnishd", ["-F", ...where, "-s", "malloc,64m", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(varnishd, "exit");
  let said = "";
  varnishd.stderr.on("data", (text) => {
    said += text;
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilServes(varnishd, origin).catch((reason) => {
    rmSync(folder, { recursive: true });
    throw new Error(said, { cause: reason });
  });
  const tell = (tool: string, option: string) =>
    execFileSync(tool, ["-n", join(folder, "varnish"), option], { encoding: "utf8", maxBuffer: 1024 ** 3 });
  return {
    origin,
    count: (counter) => JSON.parse(tell("varnishstat", "-j")).counters[`MAIN.${counter}`].value,
    log: () => tell("varnishlog", "-d"),
    async stop() {
      varnishd.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}
