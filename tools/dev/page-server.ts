import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener, type ServerResponse } from "node:http";
import { join, posix } from "node:path";
import { stripVTControlCharacters } from "node:util";
import react from "@vitejs/plugin-react";
import { createServer, type InlineConfig, normalizePath, type ViteDevServer } from "vite";
import type { Prerender } from "#tools/build/prerender.ts";

const root = join(import.meta.dirname, "../..");

/** Vite's development server for the page, with the API proxied at the same origin. */
export async function startPageServer(port: number, apiPort: number) {
  return startVite(
    port,
    { server: { proxy: { "/api": `http://127.0.0.1:${apiPort}` } } },
    (vite) => (request, response) => {
      const path = request.url?.split("?", 1)[0] ?? "/";
      vite.middlewares(request, response, () => {
        sendPage(vite, path, response).catch((reason) => {
          vite.ssrFixStacktrace(reason);
          console.error(reason.stack);
          response.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
          response.end(stripVTControlCharacters(reason.stack));
        });
      });
    },
  );
}

/** Vite's development server for the console's page, with its API and brand/'s files proxied at the same origin. */
export async function startConsolePage(port: number, apiPort: number) {
  // An object: for a plain URL, Vite would change the Host header, which the console checks.
  const api = { target: `http://127.0.0.1:${apiPort}` };
  return startVite(port, {
    configFile: false,
    root: join(root, "console/app"),
    // Not the page server's default folder, because both would overwrite each other's packages there.
    cacheDir: join(root, "node_modules/.vite-console"),
    plugins: [react()],
    server: {
      proxy: Object.fromEntries(
        ["/api", "/preview", "/tokens.css", "/sans.woff2", "/icon.svg"].map((path) => [path, api]),
      ),
    },
  });
}

/** Runs Vite on our HTTP server, because Vite's own server exits on SIGTERM before PostgreSQL has stopped. */
async function startVite(
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

/** As in production: the landing page at "/", and a real 404 with the not-found page everywhere else. */
async function sendPage(vite: ViteDevServer, path: string, response: ServerResponse): Promise<void> {
  const template = await readFile(join(vite.config.root, "index.html"), "utf8");
  const html = await vite.transformIndexHtml(path, withBrandFiles(template));
  const { renderPage } = (await vite.ssrLoadModule("/prerender.tsx")) as Prerender;
  const page = await renderPage(html, path);
  response.writeHead(path === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
  response.end(page);
}

/** Gives the template the /@fs/ URLs that the style sheets have for brand/'s files in development. */
function withBrandFiles(template: string): string {
  const brand = posix.join("/@fs/", normalizePath(join(root, "brand")));
  return template.replace('"../brand/', `"${brand}/`);
}
