import { registerHooks } from "node:module";

/**
 * Changes a file of the product as it is loaded, for a negative control: the server lacks one safeguard, and the
 * repository stays as it is. A text that isn't in the file fails the start, so that no control runs unchanged.
 */
export function changeSource(file: string, changes: [find: string, replace: string][]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      let source = String(loaded.source);
      for (const [find, replace] of changes) {
        if (source.split(find).length !== 2) throw new Error(`${file} must contain this once: ${find}`);
        source = source.replace(find, () => replace);
      }
      return { ...loaded, source };
    },
  });
}
