import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROUTER } from "./network.ts";
import { makeNodeMirror } from "./node-mirror.ts";

/** Keeps images between runs, because building them takes minutes. */
const CACHE = "/var/cache/farwatch-drills";

/** Returns a cached folder, which is rebuilt when `content` changes. */
export async function cached(name: string, content: string, build: (folder: string) => unknown): Promise<string> {
  const key = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const folder = join(CACHE, `${name}-${key}`);
  if (existsSync(folder)) return folder;
  console.log(`  building ${folder}`);
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE)) if (old.startsWith(`${name}-`)) rmSync(join(CACHE, old), { recursive: true });
  const part = `${folder}.part`;
  mkdirSync(part);
  await build(part);
  renameSync(part, folder);
  return folder;
}

/** A bare Debian with fakes of the repository, nodejs.org, DNS and the certificate authority. */
export async function bareDebian(suite: "bookworm" | "trixie"): Promise<string> {
  const content = [readFileSync(import.meta.filename, "utf8"), process.version].join("\n");
  const debian = await cached(suite, content, async (folder) => {
    const include = "--include=dbus,systemd-sysv";
    execFileSync("debootstrap", ["--variant=minbase", include, suite, folder], { stdio: "ignore" });
    const authorities = "usr/local/share/ca-certificates";
    // Copies the host's CAs, for TLS proxies between the machine and the package registries.
    cpSync(`/${authorities}`, join(folder, authorities), { recursive: true });
    mkdirSync(join(folder, "opt/drill"));
    const [key, chain] = [join(folder, "opt/drill/privkey.pem"), join(folder, "opt/drill/fullchain.pem")];
    const names = "subjectAltName=DNS:farwatch.example,DNS:smtp.example";
    const subject = ["-subj", "/CN=farwatch.example", "-addext", names, "-days", "365"];
    const output = ["-keyout", key, "-out", chain];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...output], {
      stdio: "ignore",
    });
    cpSync(chain, join(folder, authorities, "drill.crt"));
    writeFileSync(join(folder, "etc/hosts"), `127.0.0.1 localhost farwatch.example\n${ROUTER} smtp.example\n`);
    writeFileSync(
      join(folder, "etc/gitconfig"),
      '[url "/opt/farwatch.git"]\n  insteadOf = https://git.example/farwatch.git\n[safe]\n  directory = *\n',
    );
    makeNodeMirror(join(folder, "opt/drill/nodejs"));
    // Masked, because the getty would take over the console.
    execFileSync("systemctl", [`--root=${folder}`, "--quiet", "mask", "console-getty.service"]);
  });
  return debian;
}

/**
 * Copies this version's repository, with its release's tag, to a disk. Replaces the example postal address, which
 * disables mail; replaces Node's release keys with the fake nodejs.org's key. Removes image digests from compose.yaml,
 * because the drills' images have none.
 */
export function addRepository(disk: string): void {
  const source = join(disk, "opt/source");
  const git = (...args: string[]) => execFileSync("git", args, { stdio: ["ignore", "ignore", "inherit"] });
  git("clone", "--quiet", ".", source);
  const brand = join(source, "brand/brand.ts");
  const text = readFileSync(brand, "utf8");
  writeFileSync(brand, text.replace("100 Example Street, Example City", "1 Main Street, Springfield"));
  const compose = join(source, "compose.yaml");
  writeFileSync(compose, readFileSync(compose, "utf8").replace(/@sha256:\w+/g, ""));
  const key = join(disk, "opt/drill/nodejs/pubring.gpg");
  if (existsSync(key)) cpSync(key, join(source, "deploy/node-release-keys.kbx"));
  const author = ["-c", "user.name=Drill", "-c", "user.email=drill@farwatch.example"];
  git("-C", source, ...author, "commit", "--quiet", "--all", "--message", "Set the postal address and the keys");
  git("-C", source, "tag", "--force", `v${JSON.parse(readFileSync("package.json", "utf8")).version}`);
  git("clone", "--quiet", "--bare", source, join(disk, "opt/farwatch.git"));
  rmSync(source, { recursive: true });
}
