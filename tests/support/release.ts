import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Version 1.0.0: what runs in production while today's is brought in. */
export const VERSION_1 = "40d08594151697722bb9a7d819fc80127a64cce9";

/** Another version of this project, in a folder of its own, as a machine has one after the other. */
export interface Release {
  folder: string;
  remove(): void;
}

/** This version as another brand's: words and colors in brand/ are replaced by others, and the page is built. */
export function releaseWithBrand(changes: Record<string, string>): Release {
  const release = emptyRelease();
  const left = [".git", "node_modules", "dist", "results", "test-results"];
  cpSync(".", release.folder, { recursive: true, filter: (path) => !left.includes(path) });
  for (const path of globSync(join(release.folder, "brand/*.ts"))) {
    let text = readFileSync(path, "utf8");
    for (const [before, after] of Object.entries(changes)) text = text.replaceAll(before, after);
    writeFileSync(path, text);
  }
  // Vitest's own NODE_ENV would make it a development build, with file names in it.
  const env = { ...process.env, NODE_ENV: "production" };
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: release.folder, env });
  run("tools/generate.ts", "brand", "openapi");
  run("tools/build/site.ts");
  return release;
}

/** The server as it was at a commit, with today's packages and today's page. */
export function releaseAt(commit: string): Release {
  const release = emptyRelease();
  const archive = execFileSync("git", ["archive", commit], { maxBuffer: 64 * 1024 * 1024 });
  execFileSync("tar", ["--extract", "--directory", release.folder], { input: archive });
  symlinkSync(resolve("dist"), join(release.folder, "dist"));
  return release;
}

function emptyRelease(): Release {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-release-"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
