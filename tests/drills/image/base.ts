import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cached } from "#tests/drills/debian/image.ts";
import type { Docker } from "./docker.ts";

const NAME = "farwatch-base";
const CA_BUNDLE_PATH = "/etc/ssl/certs/ca-certificates.crt";
const run = promisify(execFile);

/**
 * Replaces node:26-trixie-slim where images can't be pulled: a minimal Debian with this Node and the host's npm, which
 * uses the host's registry and certificates.
 */
export async function makeBase(docker: Docker, suite = "trixie"): Promise<string> {
  const content = readFileSync(import.meta.filename, "utf8") + process.version;
  const folder = await cached(`base-${suite}`, content, async (part) => {
    const root = join(part, "root");
    await run("debootstrap", ["--variant=minbase", "--include=ca-certificates,libatomic1,libstdc++6", suite, root]);
    await rm(join(root, "var/cache/apt"), { recursive: true });
    await rm(join(root, "var/lib/apt/lists"), { recursive: true });

    // Not `npm root --global`, which is wrong where another Node is first in PATH.
    const npm = dirname(dirname(await realpath((await run("which", ["npm"])).stdout.trim())));
    await mkdir(join(root, "usr/local/lib/node_modules"));
    await cp(process.execPath, join(root, "usr/local/bin/node"));
    await cp(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
    await cp(CA_BUNDLE_PATH, join(root, CA_BUNDLE_PATH));
    await run("tar", ["-C", root, "-cf", join(part, "base.tar"), "."]);
    await rm(root, { recursive: true });
  });
  const { stdout: registry } = await run("npm", ["config", "get", "registry"]);
  const settings = [`NODE_EXTRA_CA_CERTS=${CA_BUNDLE_PATH}`, `npm_config_registry=${registry.trim()}`];
  await docker("import", ...settings.flatMap((each) => ["--change", `ENV ${each}`]), join(folder, "base.tar"), NAME);
  return NAME;
}
