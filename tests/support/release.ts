import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Another version of this project, in a folder of its own, as a machine has one after the other. */
export interface Release {
  folder: string;
  remove(): void;
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
