import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Registry } from "prom-client";
import { PROBLEM_TYPE } from "#contract/problem.ts";
import type { Config } from "#core/config/config.ts";
import { handleClientError } from "./client-error.ts";
import { problem } from "./problem.ts";

/** Health checks and metrics, on a separate port that isn't public. None if the port isn't set. */
export async function startPrivateServer(
  { PRIVATE_HOST, PRIVATE_PORT }: Pick<Config, "PRIVATE_HOST" | "PRIVATE_PORT">,
  { registry, isReady, isLive = () => true }: { registry: Registry; isReady: () => boolean; isLive?: () => boolean },
): Promise<Server | undefined> {
  if (PRIVATE_PORT === undefined) return;
  const handlers: Record<string, () => Promise<string | number>> = {
    "/live": async () => (isLive() ? "live\n" : 503),
    "/ready": async () => (isReady() ? "ready\n" : 503),
    "/metrics": () => registry.metrics(),
  };
  const server = createServer(async (request, response) => {
    const handle = handlers[request.url ?? ""] ?? (async () => 404);
    const result = await handle().catch(() => 500);
    const [status, type, body] =
      typeof result === "string"
        ? ([200, "text/plain; charset=utf-8", result] as const)
        : ([result, PROBLEM_TYPE, JSON.stringify(problem(result))] as const);
    response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
  });
  server.on("clientError", handleClientError({}));
  await once(server.listen(PRIVATE_PORT, PRIVATE_HOST), "listening");
  return server;
}
