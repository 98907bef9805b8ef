import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SignUp } from "#contract/sign-up.ts";
import { aSignUp } from "./sign-ups.ts";

/** Version 1.0.0, which is in production while the current version is rolled out. */
export const VERSION_1 = "40d08594151697722bb9a7d819fc80127a64cce9";

/** Another version of this project, in its own temporary folder. */
export interface Release {
  folder: string;
  remove(): void;
}

/** This version with text and colors in brand/ replaced, and the page built from it. */
export function releaseWithBrand(changes: Record<string, string>): Release {
  const release = copyOfThisVersion();
  for (const path of globSync(join(release.folder, "brand/*.ts"))) {
    let text = readFileSync(path, "utf8");
    for (const [before, after] of Object.entries(changes)) text = text.replaceAll(before, after);
    writeFileSync(path, text);
  }
  // Vitest's NODE_ENV would make this a development build, which contains file names.
  const env = { ...process.env, NODE_ENV: "production" };
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: release.folder, env });
  run("tools/generate.ts", "brand", "openapi");
  run("tools/build/site.ts");
  return release;
}

/** This version's files as they are now, committed or not; the page isn't built. */
export function copyOfThisVersion(): Release {
  const release = emptyRelease();
  const excluded = [".git", "node_modules", "dist", "results", "test-results"];
  cpSync(".", release.folder, { recursive: true, filter: (path) => !excluded.includes(path) });
  return release;
}

/**
 * The server as of a commit, with the current packages and the current page. pg-copy-streams, which this version
 * doesn't use, is installed for 1.0.0's exports.
 */
export function releaseAt(commit: string): Release {
  const release = filesAt(commit);
  symlinkSync(resolve("dist"), join(release.folder, "dist"));
  return release;
}

/** Version 1.0.0 with its own page, built with the current packages. */
export function version1WithPage(): Release {
  const release = filesAt(VERSION_1);
  const env = { ...process.env, NODE_ENV: "production" };
  execFileSync(process.execPath, ["build/site.ts"], { cwd: release.folder, env });
  return release;
}

function filesAt(commit: string): Release {
  const release = emptyRelease();
  const archive = execFileSync("git", ["archive", commit], { maxBuffer: 64 * 1024 * 1024 });
  execFileSync("tar", ["--extract", "--directory", release.folder], { input: archive });
  return release;
}

/** Migrates a database by a release's own command. */
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

/** A sign-up with the fields that version 1.0.0 knows: it refuses any other. */
export function aVersion1SignUp(changes: Partial<SignUp> = {}) {
  const { firstName, lastName, email, company, newsletter, website } = aSignUp(changes);
  return { firstName, lastName, email, company, newsletter, website };
}
