import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Edge, startVarnish } from "#tests/support/edge.ts";

/** Varnish with its default configuration, caching files whose size in bytes is their path, with minimal headers. */
export async function startBareVarnish(): Promise<Edge> {
  const origin = createServer(({ url = "" }, response) => {
    response.writeHead(200, { "cache-control": "max-age=31536000" }).end(Buffer.alloc(Number(url.slice(1))));
  });
  await once(origin.listen(0, "127.0.0.1"), "listening");
  const { port } = origin.address() as AddressInfo;
  const varnish = await startVarnish(`vcl 4.1; backend files { .host = "127.0.0.1"; .port = "${port}"; }`);
  return {
    ...varnish,
    async stop() {
      await varnish.stop();
      origin.close();
      origin.closeAllConnections();
    },
  };
}
