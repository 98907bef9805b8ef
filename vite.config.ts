import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: "site",
  appType: "custom",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    // Every asset is a file of its own: data: addresses would need holes in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
