import { once } from "node:events";
// biome-ignore lint/style/noRestrictedImports: only a type; servers and the team's console shut down alike.
import type { Server } from "node:http";
import { Server as Listener } from "node:net";
import { setImmediate as endOfTurn, setTimeout as pause } from "node:timers/promises";

/** How long open connections may take to finish during graceful shutdown. */
const CLOSE_TIMEOUT_MS = 5000;
/** nginx.conf keeps idle connections for 1 s, but those of requests in flight are idle only after their response. */
const IDLE_MS = 4000;

/**
 * Finishes open requests. Behind a proxy, first keeps serving for `drainMs`, while /ready already fails, and then serves
 * only connections that are already open.
 */
export async function drain(app: { server: Server; close(): Promise<unknown> }, drainMs?: number): Promise<void> {
  const { server } = app;
  // Makes clients reconnect, because load balancers like a Kubernetes Service don't move open connections.
  server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  if (drainMs !== undefined) {
    await pause(drainMs);
    await acceptBacklog(server);
    // Only stops listening. The HTTP server's own close() would close idle connections too, and lose a POST on its way.
    Listener.prototype.close.call(server);
  }
  const closeAll = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  if (!server.listening) await Promise.race([once(server, "close"), pause(IDLE_MS, undefined, { ref: false })]);
  // Node's close() misses connections that become idle later, and would wait forever for half-sent requests.
  const closeIdle = setInterval(() => server.closeIdleConnections(), 50);
  await app.close();
  clearInterval(closeIdle);
  clearTimeout(closeAll);
}

/** Accepts the connections in the kernel's backlog, because closing the listener would reset them. */
async function acceptBacklog(server: Server): Promise<void> {
  let isQuiet = false;
  server.on("connection", () => (isQuiet = false));
  // Node accepts one connection per turn of its event loop, and others may arrive during a long turn. The limit is twice
  // the backlog's length, because a saturated server has no quiet turn.
  for (let turns = 0; !isQuiet && turns < 1000; turns += 1) {
    const startedAt = performance.now();
    isQuiet = true;
    await endOfTurn();
    isQuiet &&= performance.now() - startedAt < 0.1;
  }
}
