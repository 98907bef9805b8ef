import { once } from "node:events";
// biome-ignore lint/style/noRestrictedImports: only a type; servers and the team's console shut down alike.
import type { Server } from "node:http";
import { Server as Listener } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** How long open connections may take to finish during graceful shutdown. */
const CLOSE_TIMEOUT_MS = 5000;
/** Longer than nginx.conf keeps idle connections, so nginx never sends a request on one that closes here. */
const IDLE_MS = 2500;

/**
 * Finishes open requests. Behind a proxy, first keeps serving for `drainMs`, while /ready already fails, and then serves
 * only the connections that the proxy has.
 */
export async function drain(app: { server: Server; close(): Promise<unknown> }, drainMs?: number): Promise<void> {
  const { server } = app;
  // A balancer of connections, like a Kubernetes Service, leaves open ones here: clients must open new ones.
  server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  const closeAll = setTimeout(() => server.closeAllConnections(), (drainMs ?? 0) + CLOSE_TIMEOUT_MS);
  if (drainMs !== undefined) {
    await pause(drainMs);
    // Only stops listening. The HTTP server's own close() also closes idle connections, and a POST on its way is lost.
    Listener.prototype.close.call(server);
    await Promise.race([once(server, "close"), pause(IDLE_MS, undefined, { ref: false })]);
  }
  // Node closes only connections that are idle now. Later ones would stay open, and half-sent requests forever.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  await app.close();
  clearInterval(closeIdle);
  clearTimeout(closeAll);
}
