// biome-ignore lint/style/noRestrictedImports: only a type; servers and the team's console shut down alike.
import type { Server } from "node:http";

/** How long open connections may take to finish during graceful shutdown. */
const CLOSE_TIMEOUT_MS = 5000;

/** Keeps serving for `drainMs`, while /ready already fails and proxies go elsewhere; then finishes open requests. */
export async function drain(app: { server: Server; close(): Promise<unknown> }, drainMs: number): Promise<void> {
  // A balancer of connections, like a Kubernetes Service, leaves open ones here: clients must open new ones.
  app.server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  await new Promise((resolve) => setTimeout(resolve, drainMs));
  // Node closes only connections that are idle now. Later ones would stay open, and half-sent requests forever.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50);
  const closeAll = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await app.close();
  clearInterval(closeIdle);
  clearTimeout(closeAll);
}
