import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Docker } from "./docker.ts";

const NAME = "farwatch-base";
const CA_BUNDLE_PATH = "/etc/ssl/certs/ca-certificates.crt";
const run = promisify(execFile);

/**
 * Replaces node:26-trixie-slim where images can't be pulled: a minimal Debian with this Node and the host's npm, which
 * uses the host's registry and certificates.
 */
export async function makeBase(docker: Docker): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-base-"));
  try {
    const root = join(folder, "root");
    await run("debootstrap", ["--variant=minbase", "--include=ca-certificates,libatomic1,libstdc++6", "trixie", root]);
    await rm(join(root, "var/cache/apt"), { recursive: true });
    await rm(join(root, "var/lib/apt/lists"), { recursive: true });

    const { stdout: packages } = await run("npm", ["root", "--global"]);
    const { stdout: registry } = await run("npm", ["config", "get", "registry"]);
    await mkdir(join(root, "usr/local/lib/node_modules"));
    await cp(process.execPath, join(root, "usr/local/bin/node"));
    await cp(join(packages.trim(), "npm"), join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
    await cp(CA_BUNDLE_PATH, join(root, CA_BUNDLE_PATH));

    await run("tar", ["-C", root, "-cf", join(folder, "base.tar"), "."]);
    const settings = [`NODE_EXTRA_CA_CERTS=${CA_BUNDLE_PATH}`, `npm_config_registry=${registry.trim()}`];
    await docker("import", ...settings.flatMap((each) => ["--change", `ENV ${each}`]), join(folder, "base.tar"), NAME);
    return NAME;
  } finally {
    await rm(folder, { recursive: true });
  }
}
