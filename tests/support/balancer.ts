import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "#tools/dev/free-port.ts";
import { untilServes } from "./until-serves.ts";

export interface Balancer {
  origin: string;
  stop(): Promise<void>;
}

interface Backend {
  port: number;
  privatePort: number;
}

/** HAProxy in front of two servers, with the configuration we ship. */
export async function startBalancer(blue: Backend, green: Backend, firstStatus = 200): Promise<Balancer> {
  const port = await freePort();
  const haproxy = spawn("haproxy", ["-db", "-q", "-f", "deploy/haproxy.cfg"], {
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
    async stop() {
      haproxy.kill();
      await exited;
    },
  };
}
