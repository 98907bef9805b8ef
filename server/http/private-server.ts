import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";

export interface Watched {
  registry: Registry;
  /** Whether it should be sent visitors. */
  isReady: () => boolean;
}

/** For the people and machines that watch the server, on a port of its own that is nobody else's. */
export async function startPrivateServer(host: string, port: number, { registry, isReady }: Watched): Promise<Server> {
  const answers: Record<string, () => Promise<readonly [status: number, body: string]>> = {
    "/live": async () => [200, "live\n"],
    "/ready": async () => (isReady() ? [200, "ready\n"] : [503, "not ready\n"]),
    "/metrics": async () => [200, await registry.metrics()],
  };
  const server = createServer(async (request, response) => {
    const answer = answers[request.url ?? ""] ?? (async () => [404, "not found\n"] as const);
    const [status, body] = await answer().catch(() => [500, "failed\n"] as const);
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" }).end(body);
  });
  await once(server.listen(port, host), "listening");
  return server;
}
