import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#tools/dev/free-port.ts";
import { untilServes } from "./until-serves.ts";

export interface Balancer {
  origin: string;
  /** Resolves when HAProxy considers both servers up. */
  untilBothServe(): Promise<void>;
  stop(): Promise<void>;
}

interface Backend {
  port: number;
  privatePort: number;
}

/** HAProxy in front of two servers, with the configuration we ship. */
export async function startBalancer(blue: Backend, green: Backend, firstStatus = 200): Promise<Balancer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "farwatch-haproxy-"));
  const [socket, settings] = [join(folder, "socket"), join(folder, "stats.cfg")];
  writeFileSync(settings, `global\n  stats socket ${socket}\n`);
  const haproxy = spawn("haproxy", ["-db", "-q", "-f", "deploy/haproxy.cfg", "-f", settings], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env.PATH,
      PUBLIC: `127.0.0.1:${port}`,
      BLUE: `127.0.0.1:${blue.port}`,
      BLUE_READY: String(blue.privatePort),
      GREEN: `127.0.0.1:${green.port}`,
      GREEN_READY: String(green.privatePort),
    },
  });
  const exited = once(haproxy, "exit");
  const origin = `http://127.0.0.1:${port}`;
  await untilServes(haproxy, origin, firstStatus);
  return {
    origin,
    async untilBothServe() {
      while ((await countUp(socket)) < 2) await pause(50);
    },
    async stop() {
      haproxy.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The number of servers that pass HAProxy's health checks. */
async function countUp(socket: string): Promise<number> {
  const rows = await text(connect(socket).end("show stat\n"));
  return [...rows.matchAll(/^servers,(?:blue|green),.*,UP,/gm)].length;
}
