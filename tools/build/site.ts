/** Builds the site into dist/: Vite bundles it, React renders both pages to HTML, and text files are precompressed. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, runnerImport } from "vite";
import { preloadLinks, withInlineStyle, withIntegrity } from "./page-html.ts";
import { precompress } from "./precompress.ts";
import type { Prerender } from "./prerender.ts";
import { siteFiles } from "./site-files.ts";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");

await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });

const { module } = await runnerImport<Prerender>(join(root, "site/prerender.tsx"));
const manifest = JSON.parse(await readFile(join(dist, ".vite/manifest.json"), "utf8"));
const bundled = (await readFile(join(dist, "index.html"), "utf8")).replace("<!--preloads-->", preloadLinks(manifest));
const template = withInlineStyle(withIntegrity(bundled, dist), dist);
await writeFile(join(dist, "index.html"), await module.renderPage(template, "/"));
await writeFile(join(dist, "not-found.html"), await module.renderPage(template, "/not-found"));
for (const [name, text] of Object.entries(siteFiles)) await writeFile(join(dist, name), text);

await precompress(dist);
