import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join, posix } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { normalizePath, type ViteDevServer } from "vite";
import type { Prerender } from "#tools/build/prerender.ts";
import { startVite } from "./vite-server.ts";

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

/** As in production: the landing page at "/", and a real 404 with the not-found page everywhere else. */
async function sendPage(vite: ViteDevServer, path: string, response: ServerResponse): Promise<void> {
  const template = await readFile(join(vite.config.root, "index.html"), "utf8");
  const html = await vite.transformIndexHtml(path, withBrandFiles(template));
  const { renderPage } = (await vite.ssrLoadModule("/prerender.tsx")) as Prerender;
  const page = await renderPage(html, path);
  response.writeHead(path === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
  response.end(page);
}

/** In development, files in brand/ have a /@fs/ URL; the template must use the same one as the style sheets. */
function withBrandFiles(template: string): string {
  const brand = posix.join("/@fs/", normalizePath(join(import.meta.dirname, "../../brand")));
  return template.replace('"../brand/', `"${brand}/`);
}
