import { once } from "node:events";
// biome-ignore lint/style/noRestrictedImports: the only requests handled in core, because every long-running program answers health checks.
import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";
import type { Config } from "#core/config/config.ts";

/** Health checks and metrics, on a separate port that isn't public. None if the port isn't set. */
export async function startPrivateServer(
  { PRIVATE_HOST, PRIVATE_PORT }: Pick<Config, "PRIVATE_HOST" | "PRIVATE_PORT">,
  { registry, isReady, isLive = () => true }: { registry: Registry; isReady: () => boolean; isLive?: () => boolean },
): Promise<Server | undefined> {
  if (PRIVATE_PORT === undefined) return;
  const handlers: Record<string, () => Promise<readonly [status: number, body: string]>> = {
    "/live": async () => (isLive() ? [200, "live\n"] : [503, "stuck\n"]),
    "/ready": async () => (isReady() ? [200, "ready\n"] : [503, "not ready\n"]),
    "/metrics": async () => [200, await registry.metrics()],
  };
  const server = createServer(async (request, response) => {
    const handle = handlers[request.url ?? ""] ?? (async () => [404, "not found\n"] as const);
    const [status, body] = await handle().catch(() => [500, "failed\n"] as const);
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }).end(body);
  });
  await once(server.listen(PRIVATE_PORT, PRIVATE_HOST), "listening");
  return server;
}
