import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Another version of this project, in its own temporary folder. */
export interface Release {
  folder: string;
  remove(): void;
}

/** Copies this version with text and colors in brand/ replaced, and builds its page. */
export function releaseWithBrand(changes: Record<string, string>): Release {
  const release = copyOfThisVersion();
  for (const path of globSync(join(release.folder, "brand/*.ts"))) {
    let text = readFileSync(path, "utf8");
    for (const [before, after] of Object.entries(changes)) text = text.replaceAll(before, after);
    writeFileSync(path, text);
  }
  runIn(release, "tools/generate.ts", "brand", "openapi");
  runIn(release, "tools/build/site.ts");
  return release;
}

function runIn({ folder }: Release, ...args: string[]): void {
  // Vitest's NODE_ENV would make this a development build, which contains file names.
  execFileSync(process.execPath, args, { cwd: folder, env: { ...process.env, NODE_ENV: "production" } });
}

/** Copies this version's files, committed or not. The page isn't built. */
export function copyOfThisVersion(): Release {
  const release = emptyRelease();
  const excluded = [".git", "node_modules", "dist", "results", "test-results"];
  cpSync(".", release.folder, { recursive: true, filter: (path) => !excluded.includes(path) });
  return release;
}

/** The server as of a commit, with the current packages and the current page. */
export function releaseAt(commit: string): Release {
  const release = sourceAt(commit);
  symlinkSync(resolve("dist"), join(release.folder, "dist"));
  return release;
}

/** Server and page as of a commit, with the current packages. */
export function builtReleaseAt(commit: string): Release {
  const release = sourceAt(commit);
  runIn(release, "tools/build/site.ts");
  return release;
}

function sourceAt(commit: string): Release {
  const release = emptyRelease();
  const archive = execFileSync("git", ["archive", commit], { maxBuffer: 64 * 1024 * 1024 });
  execFileSync("tar", ["--extract", "--directory", release.folder], { input: archive });
  return release;
}

/** Migrates a database with a release's own command. */
export function migrateWith({ folder }: Release, env: Record<string, string>): void {
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  execFileSync(process.execPath, [join(folder, bin.waitlist), "migrate"], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
}

function emptyRelease(): Release {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-release-"));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
