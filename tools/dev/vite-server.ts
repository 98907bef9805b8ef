import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type InlineConfig, type ViteDevServer } from "vite";

/** Serves with Vite on our own HTTP server, because with its own, Vite exits on SIGTERM before PostgreSQL has stopped. */
export async function startVite(
  port: number,
  { server, ...config }: InlineConfig,
  listener: (vite: ViteDevServer) => RequestListener = ({ middlewares }) => middlewares,
) {
  const http = createHttpServer();
  const vite = await createServer({ ...config, server: { ...server, middlewareMode: true, ws: { server: http } } });
  http.on("request", listener(vite));
  http.listen(port, "localhost");
  await once(http, "listening");
  return {
    async stop() {
      http.close();
      http.closeAllConnections();
      await vite.close();
    },
  };
}
