import { existsSync, readFileSync, writeFileSync } from "node:fs";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { themeStyle } from "./brand/style.ts";

/** Tailwind reads its theme from a file. Written only if it changes, because another build may be reading it. */
const theme = new URL("brand/tokens.css", import.meta.url);
if (!existsSync(theme) || readFileSync(theme, "utf8") !== themeStyle()) writeFileSync(theme, themeStyle());

/** Vite's helper around import() takes 650 bytes to load a chunk's own style sheets; we have only one style sheet. */
const withoutPreloadHelper: Plugin = {
  name: "without-preload-helper",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : undefined),
};

export default defineConfig({
  root: "site",
  appType: "custom",
  plugins: [react(), tailwindcss(), withoutPreloadHelper],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    // Keeps each asset a separate file, because data: URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    // For tools/build/page-html.ts; Vite's own preloads have no priority and leave out dynamic imports.
    manifest: true,
    modulePreload: false,
    cssCodeSplit: false,
    // Otherwise, modules that all lazy chunks import would become separate chunks.
    rolldownOptions: {
      // Moves each of the page's texts to the chunk that shows it.
      optimization: { inlineConst: true },
      output: { codeSplitting: { groups: [{ name: "client", test: /node_modules\/(react|react-dom|scheduler)\// }] } },
    },
  },
});
