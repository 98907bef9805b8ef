import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brand } from "#brand/brand.ts";

/** Version 1.0.0: what runs in production while today's is brought in. */
export const VERSION_1 = "40d08594151697722bb9a7d819fc80127a64cce9";

/** Another version of this project, in a folder of its own, as a machine has one after the other. */
export interface Release {
  folder: string;
  remove(): void;
}

/** This version with other words on the page, built. */
export function releaseWithOtherWords(words: string): Release {
  const release = emptyRelease();
  const left = [".git", "node_modules", "dist", "results", "test-results"];
  cpSync(".", release.folder, { recursive: true, filter: (path) => !left.includes(path) });
  const path = join(release.folder, "brand/brand.ts");
  writeFileSync(path, readFileSync(path, "utf8").replace(brand.tagline, words));
  execFileSync(process.execPath, [join(release.folder, "tools/build/site.ts")], { cwd: release.folder });
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
