/** Builds the console's page into dist-console/, because everything in the site's dist/ is public. */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { precompress } from "./precompress.ts";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist-console");

await build({
  configFile: false,
  root: join(root, "console/app"),
  logLevel: "warn",
  plugins: [react()],
  build: {
    outDir: dist,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
  },
});

await precompress(dist);
