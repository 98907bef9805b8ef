import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { version, arch, execPath } = process;

/** Makes a folder like nodejs.org/dist with npm, the Node that runs this, and the key that signed the checksums. */
export function makeNodeMirror(folder: string): void {
  const release = join(folder, version);
  mkdirSync(release, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "farwatch-node-"));
  const name = `node-${version}-linux-${arch}`;
  const root = join(scratch, name);
  for (const path of ["bin", "lib/node_modules"]) mkdirSync(join(root, path), { recursive: true });
  cpSync(execPath, join(root, "bin/node"), { dereference: true });
  const { packageManager } = JSON.parse(readFileSync("package.json", "utf8"));
  execFileSync("npm", ["pack", "--silent", packageManager.split("+")[0]], { cwd: scratch, stdio: "ignore" });
  const unpack = 'tar -xzf npm-*.tgz && mv package "$0/lib/node_modules/npm"';
  execFileSync("sh", ["-c", unpack, root], { cwd: scratch });
  for (const command of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, join(root, "bin", command));
  }
  const archive = join(release, `${name}.tar.gz`);
  execFileSync("tar", ["-czf", archive, "-C", scratch, name]);
  const sum = createHash("sha256").update(readFileSync(archive)).digest("hex");
  const sums = join(release, "SHASUMS256.txt");
  // Like the list on nodejs.org, starts with a file that isn't downloaded.
  writeFileSync(sums, `${"0".repeat(64)}  node-${version}.pkg\n${sum}  ${name}.tar.gz\n`);
  const gpg = (...args: string[]) =>
    execFileSync("gpg", ["--homedir", scratch, "--batch", "--quiet", "--passphrase", "", ...args], { stdio: "ignore" });
  gpg("--quick-generate-key", "releaser@nodejs.example");
  gpg("--output", `${sums}.sig`, "--detach-sign", sums);
  gpg("--output", join(folder, "pubring.gpg"), "--export");
  rmSync(scratch, { recursive: true });
}
