import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const REFERENCES = /(?:\bfrom |\bimport |\bimport\()"([#.][^"?]+)|\bnew URL\("([^"]+)", import\.meta\.url\)/g;

/** These files and every file of ours that they import or read by URL, directly or through others. */
export function localFiles(...entries: string[]): string[] {
  const files = new Set(entries.map((entry) => join(entry)));
  // A set's iterator also visits what is added meanwhile.
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const [, imported, read = ""] of readFileSync(file, "utf8").matchAll(REFERENCES)) {
      const path = imported ?? read;
      files.add(path.startsWith("#") ? path.slice(1) : join(dirname(file), path));
    }
  }
  return [...files];
}
