import { freePort } from "#tools/dev/free-port.ts";
import type { RunningServer } from "#tools/dev/running-site.ts";
import { type Nginx, startNginx } from "./nginx.ts";

/** A server behind nginx, as in production. nginx's second server is down, as during a deploy. */
export async function startBehindProxies<Server extends RunningServer>(
  start: (env: Record<string, string>) => Promise<Server>,
): Promise<Server & { nginx: Nginx }> {
  const [port, privatePort, downPort] = [await freePort(), await freePort(), await freePort()];
  const started = new AsyncDisposableStack();
  try {
    const server = await start({
      PORT: String(port),
      PRIVATE_PORT: String(privatePort),
      DRAIN_MS: "0",
      TRUST_PROXY: "127.0.0.1",
    });
    started.defer(server.stop);
    const nginx = await startNginx([port, downPort].map((each) => `http://127.0.0.1:${each}`));
    started.defer(nginx.stop);
    return { ...server, origin: nginx.origin, nginx, stop: () => started.disposeAsync() };
  } catch (reason) {
    await started.disposeAsync();
    throw reason;
  }
}
