/**
 * `npm run drill -- ha-machines`: boots three Debians on a private network, types docs/high-availability.md into them,
 * and switches, kills, brings back and replaces machines while visitors sign up. Needs root, and cleans up after
 * itself, except for the image in /var/cache (Debian: debootstrap, iproute2, iptables, openssl, systemd-container). The
 * certificate authority is a fake. What was typed and printed is in results/ha-machines/.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readGuide } from "#tests/support/guide.ts";
import { saveResults } from "#tests/support/results.ts";
import { buildImage } from "./image.ts";
import { readInstallation } from "./install.ts";
import { createNetwork } from "./network.ts";
import { createRack, type Rack } from "./rack.ts";
import { runStory } from "./story.ts";

/** They need a machine with a watchdog, and the loss of two machines for good. */
const NOT_TYPED = ["Without quorum", "Watchdog"];

const guides = { cluster: readGuide("docs/high-availability.md"), oneMachine: readGuide("docs/operations.md") };
const installation = readInstallation(guides);
const logs = "results/ha-machines";
rmSync(logs, { recursive: true, force: true });
mkdirSync(logs, { recursive: true });
// On disk: /tmp may be in memory.
const folder = mkdtempSync("/var/tmp/farwatch-ha-machines-");
const network = createNetwork();
let rack: Rack | undefined;
async function cleanUp(): Promise<void> {
  await rack?.remove();
  network.remove();
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => cleanUp().finally(() => process.exit(130)));

try {
  const image = await buildImage(guides, network, `${logs}/image.log`);
  rack = createRack({ folder, logs, image, network });
  const results = await runStory({ guide: guides.cluster, installation, network, rack });
  const unused = guides.cluster.unused().filter((heading) => !NOT_TYPED.includes(heading));
  if (unused.length > 0) throw new Error(`The drill types nothing of: ${unused.join(", ")}`);
  console.log(results);
  await saveResults("ha-machines", results);
} finally {
  await cleanUp();
}
