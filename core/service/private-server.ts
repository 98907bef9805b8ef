import { once } from "node:events";
// biome-ignore lint/style/noRestrictedImports: the only requests handled in core, because every long-running program answers health checks.
import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";

/** Health checks and metrics, on a separate port that isn't public. */
export async function startPrivateServer(
  host: string,
  port: number,
  { registry, isReady }: { registry: Registry; isReady: () => boolean },
): Promise<Server> {
  const handlers: Record<string, () => Promise<readonly [status: number, body: string]>> = {
    "/live": async () => [200, "live\n"],
    "/ready": async () => (isReady() ? [200, "ready\n"] : [503, "not ready\n"]),
    "/metrics": async () => [200, await registry.metrics()],
  };
  const server = createServer(async (request, response) => {
    const handle = handlers[request.url ?? ""] ?? (async () => [404, "not found\n"] as const);
    const [status, body] = await handle().catch(() => [500, "failed\n"] as const);
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }).end(body);
  });
  await once(server.listen(port, host), "listening");
  return server;
}
