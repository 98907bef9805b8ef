import { freePort } from "#tools/dev/free-port.ts";
import type { RunningServer } from "#tools/dev/running-site.ts";
import { startBalancer } from "./balancer.ts";
import { type Front, startFront } from "./front.ts";

/** A server as visitors find it: behind nginx and HAProxy. The other server is away, as while it is being replaced. */
export async function startBehindProxies<Server extends RunningServer>(
  start: (env: Record<string, string>) => Promise<Server>,
): Promise<Server & { front: Front }> {
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
    const front = await startFront(balancer.origin);
    started.defer(front.stop);
    return { ...server, origin: front.origin, front, stop: () => started.disposeAsync() };
  } catch (reason) {
    await started.disposeAsync();
    throw reason;
  }
}
