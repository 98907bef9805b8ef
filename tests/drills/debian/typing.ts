import { execFileSync } from "node:child_process";
import { adapt, readGuide } from "#tests/support/guide.ts";
import type { Machine } from "./machine.ts";

/** Replaces Let's Encrypt: checks that the challenge is reachable, and installs the certificate from the image. */
const CERTBOT = `certbot() {
  [[ " $* " == *" --webroot -w /var/www/html -d farwatch.example --deploy-hook "* ]]
  mkdir -p /var/www/html/.well-known/acme-challenge
  echo found >/var/www/html/.well-known/acme-challenge/drill
  [ "$(curl --silent http://farwatch.example/.well-known/acme-challenge/drill)" = found ]
  RENEWED_LINEAGE=/opt/drill sh -c "\${!#}"
}`;

/** Replaces nodejs.org. */
const NODE_MIRROR = "export NODE_MIRROR=file:///opt/drill/nodejs";

/** The commands of docs/operations.md, by section. */
export function readOperations() {
  const guide = readGuide("docs/operations.md");
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim().replace(/\/$/, "");
  const blocksOf = (heading: string) => {
    const blocks = guide.blocks(heading);
    if (heading === "Install packages") return blocks.map((block) => adapt(block, { "https://npm.example": registry }));
    // Raises the rate limit, because all visitors of a drill share one address.
    const noLimit = "echo LIMIT_PER_CLIENT=1000000 >>/etc/farwatch/settings";
    return heading === "Write settings and secrets" ? [...blocks, noLimit] : blocks;
  };
  return {
    guide,
    /** The commands from the first section to the last. */
    commands(first: string, last: string): string[] {
      const headings = guide.headings();
      return headings.slice(headings.indexOf(first), headings.indexOf(last) + 1).flatMap(blocksOf);
    },
    /** Repeats the guide's commands that set up a shell. */
    async openShell(machine: Machine): Promise<void> {
      const [packages = ""] = blocksOf("Install packages");
      const exports = packages.split("\n").filter((line) => line.startsWith("export "));
      await machine.type([...exports, NODE_MIRROR, CERTBOT, "[ ! -e /srv/farwatch ] || cd /srv/farwatch"].join("\n"));
    },
  };
}

export async function typeAll(machine: Machine, commands: string[]): Promise<void> {
  for (const block of commands) await machine.type(block);
}
