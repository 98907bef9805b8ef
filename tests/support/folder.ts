import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** For a whole test file: a temporary folder, and a function that writes a file into it and returns its path. */
export function useFolder() {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  function aFile(name: string, content: string | Buffer): string {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  }
  return { folder, aFile };
}
