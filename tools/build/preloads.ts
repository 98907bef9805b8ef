import type { Manifest } from "vite";

/**
 * Links to every chunk that main.ts imports to hydrate. The browser downloads them during the first paint instead of
 * one after the other behind it, at low priority, so that they don't delay the font.
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
