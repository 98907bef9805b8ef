/** Adds preloads, integrity hashes and the style sheet to the page's HTML. */
import { hash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "vite";

/**
 * Preloads every chunk that main.ts imports to hydrate, so that the browser downloads them during the first paint, not
 * one by one after it. Low priority keeps them from delaying the font.
 */
export function preloadLinks(manifest: Manifest): string {
  const files = new Set<string>();
  const add = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || chunk.isEntry || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(add);
  };
  manifest["index.html"]?.dynamicImports?.forEach(add);
  return [...files]
    .map((file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`)
    .join("");
}

export function withIntegrity(html: string, dist: string): string {
  return html.replace(
    /<(?:script|link)\b[^>]*\b(?:src|href)="(\/assets\/[^"]+\.js)"[^>]*?(?=\s*\/?>)/g,
    (tag, path: string) => `${tag} integrity="sha384-${hash("sha384", readFileSync(join(dist, path)), "base64")}"`,
  );
}

/** Inlines the style sheet, so that the first screen takes one round trip. The server's CSP allows it by hash. */
export function withInlineStyle(html: string, dist: string): string {
  const [link = "", path = ""] = /<link rel="stylesheet"[^>]* href="(\/assets\/[^"]+\.css)"[^>]*>/.exec(html) ?? [];
  const style = readFileSync(join(dist, path), "utf8").trim();
  rmSync(join(dist, path));
  return html.replace(link, () => `<style>${style}</style>`);
}
