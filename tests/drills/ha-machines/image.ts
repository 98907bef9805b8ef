import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, cpSync, existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adapt, type Guide } from "#tests/support/guide.ts";
import { createMachine } from "./machine.ts";
import type { Network } from "./network.ts";
import { mountOverlay } from "./overlay.ts";

/** Kept between runs, because the packages take minutes; a change of the commands or of the source makes new ones. */
const CACHE = "/var/cache/farwatch-ha-machines";
const ADDRESS = "10.0.0.50";

export interface Guides {
  cluster: Guide;
  /** docs/operations.md, which the cluster's guide refers to. */
  oneMachine: Guide;
}

/**
 * What all machines have in common, up to the built application, typed once: a bare Debian with packages, and on top of
 * it the application. Returns the folders, the upper one first, for an overlay.
 */
export async function buildImage({ cluster, oneMachine }: Guides, network: Network, log: string): Promise<string[]> {
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim().replace(/\/$/, "");
  const packages = oneMachine
    .blocks("Install packages")
    .map((block) => adapt(block, { "https://npm.example": registry }));
  const commands = {
    packages: [
      ...cluster.blocks("Packages and application"),
      ...packages,
      ...oneMachine.blocks("Install Node and npm"),
    ],
    application: [...packages.map(exportsOf), ...oneMachine.blocks("Install the application")],
  };
  // What runs on the machines: everything but docs and tests.
  const tree = execFileSync("git", ["ls-tree", "HEAD"], { encoding: "utf8" });
  const source = tree.split("\n").filter((line) => !/\t(docs|tests|.*\.md)$/.test(line));
  const namespace = network.connect("image", ADDRESS);
  const typeInto = async (root: string, blocks: string[]) => {
    const machine = createMachine({ name: "image", root, networkNamespace: namespace, log });
    try {
      await machine.boot();
      for (const block of blocks) await machine.type(block);
      await machine.powerOff();
    } finally {
      await machine.kill();
    }
  };

  const debian = await cached("debian", commands.packages.join("\n"), async (folder) => {
    bootstrap(folder);
    await typeInto(folder, commands.packages);
  });
  const application = await cached(
    "application",
    [debian, ...source, ...commands.application].join("\n"),
    async (folder) => {
      execFileSync("git", ["clone", "--quiet", "--bare", ".", join(folder, "opt/farwatch.git")]);
      const overlay = mountOverlay([debian], folder);
      try {
        await typeInto(overlay.root, commands.application);
      } finally {
        overlay.unmount();
      }
    },
  );
  return [application, debian];
}

/** What a new shell needs of commands that another has run. */
export function exportsOf(commands: string): string {
  return commands
    .split("\n")
    .filter((line) => line.startsWith("export "))
    .join("\n");
}

function bootstrap(folder: string): void {
  const include = "--include=dbus,systemd-sysv";
  execFileSync("debootstrap", ["--variant=minbase", include, "bookworm", folder], { stdio: "ignore" });
  cpSync("/usr/local/share/ca-certificates", join(folder, "usr/local/share/ca-certificates"), { recursive: true });
  // Trusted by the machine, as Let's Encrypt's would be.
  const drill = join(folder, "opt/drill");
  mkdirSync(drill);
  const subject = ["-subj", "/CN=farwatch.example", "-addext", "subjectAltName=DNS:farwatch.example"];
  const files = ["-keyout", join(drill, "privkey.pem"), "-out", join(drill, "fullchain.pem")];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "365", ...subject, ...files], {
    stdio: "ignore",
  });
  cpSync(join(drill, "fullchain.pem"), join(folder, "usr/local/share/ca-certificates/drill.crt"));
  appendFileSync(join(folder, "etc/hosts"), "127.0.0.1 localhost farwatch.example\n");
  // It would take over the console.
  execFileSync("systemctl", [`--root=${folder}`, "--quiet", "mask", "console-getty.service"]);
  writeFileSync(
    join(folder, "etc/gitconfig"),
    '[url "/opt/farwatch.git"]\n  insteadOf = https://git.example/farwatch.git\n[safe]\n  directory = *\n',
  );
}

async function cached(name: string, content: string, build: (folder: string) => Promise<void>): Promise<string> {
  const key = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const folder = join(CACHE, `${name}-${key}`);
  if (existsSync(folder)) return folder;
  console.log(`Building the image: ${name}`);
  for (const old of globSync(`${CACHE}/${name}-*`)) rmSync(old, { recursive: true });
  const part = `${folder}.part`;
  mkdirSync(part, { recursive: true });
  await build(part);
  renameSync(part, folder);
  return folder;
}
