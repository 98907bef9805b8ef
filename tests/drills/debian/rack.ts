import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Keep } from "#tests/drills/harness/parts.ts";
import { createMachine } from "./machine.ts";
import { createNetwork } from "./network.ts";

interface Disk {
  /** Layers of the file system, topmost first. */
  image: string[];
  /** The folder that keeps changes to the file system; by default, they are lost at the end. */
  changes?: string;
  /** Called with the disk's mount point before the machine boots. */
  prepare?: (root: string) => void;
}

/** Machines on a private network. Writes their commands and output to files in `logs`. */
export async function createRack(keep: Keep, logs: string) {
  rmSync(logs, { recursive: true, force: true });
  const network = await keep(createNetwork());
  // Not in /tmp, which may be in memory.
  const folder = mkdtempSync("/var/tmp/farwatch-rack-");
  await keep({ stop: () => rmSync(folder, { recursive: true }) });
  const backups = join(folder, "backups");
  mkdirSync(backups);
  let disks = 0;
  return {
    network,
    /** The folder that every machine mounts as /backups. */
    backups,
    /** Boots a machine with a new disk. Stop any earlier machine with this name first. */
    async boot(name: string, address: string, { image, changes, prepare }: Disk) {
      const networkNamespace = network.connect(name, address);
      disks += 1;
      const upper = changes ?? join(folder, `disk-${disks}`);
      const [root, work] = [`${upper}.root`, `${upper}.work`];
      for (const each of [upper, root, work]) mkdirSync(each, { recursive: true });
      const layers = `lowerdir=${image.join(":")},upperdir=${upper},workdir=${work}`;
      execFileSync("mount", ["-t", "overlay", "overlay", "-o", layers, root]);
      const container = createMachine({ name, root, networkNamespace, backups, log: join(logs, `${name}.log`) });
      const machine = await keep({
        ...container,
        async stop() {
          await container.stop();
          if (!existsSync(root)) return;
          execFileSync("umount", [root]);
          for (const each of [root, work]) rmSync(each, { recursive: true });
        },
      });
      prepare?.(root);
      await machine.boot();
      return machine;
    },
  };
}
