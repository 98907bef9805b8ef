import { freePort } from "#tools/dev/free-port.ts";
import type { RunningServer } from "#tools/dev/running-site.ts";
import { startBalancer } from "./balancer.ts";
import { type Nginx, startNginx } from "./nginx.ts";

/** A server behind nginx and HAProxy, as in production. HAProxy's second server is down, as during a deploy. */
export async function startBehindProxies<Server extends RunningServer>(
  start: (env: Record<string, string>) => Promise<Server>,
): Promise<Server & { nginx: Nginx }> {
  const [blue, green] = [
    { port: await freePort(), privatePort: await freePort() },
    { port: await freePort(), privatePort: await freePort() },
  ];
  const started = new AsyncDisposableStack();
  try {
    const server = await start({
      PORT: String(blue.port),
      PRIVATE_PORT: String(blue.privatePort),
      DRAIN_MS: "0",
      TRUST_PROXY: "127.0.0.1",
    });
    started.defer(server.stop);
    const balancer = await startBalancer(blue, green);
    started.defer(balancer.stop);
    const nginx = await startNginx(balancer.origin);
    started.defer(nginx.stop);
    return { ...server, origin: nginx.origin, nginx, stop: () => started.disposeAsync() };
  } catch (reason) {
    await started.disposeAsync();
    throw reason;
  }
}
