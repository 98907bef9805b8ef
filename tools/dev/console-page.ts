import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { startVite } from "./vite-server.ts";

const root = join(import.meta.dirname, "../..");

/** Vite's development server for the console's page, with its API and brand/'s files proxied at the same origin. */
export async function startConsolePage(port: number, apiPort: number) {
  // Not only its URL, because Vite then changes the Host header, which the console checks.
  const api = { target: `http://127.0.0.1:${apiPort}` };
  return startVite(port, {
    configFile: false,
    root: join(root, "console/app"),
    // The page's Vite server uses the default, and two would overwrite each other's packages.
    cacheDir: join(root, "node_modules/.vite-console"),
    plugins: [react()],
    server: {
      proxy: Object.fromEntries(["/api", "/tokens.css", "/sans.woff2", "/icon.svg"].map((path) => [path, api])),
    },
  });
}
