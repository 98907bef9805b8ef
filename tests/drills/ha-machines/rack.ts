import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMachine, type Machine } from "./machine.ts";
import type { Network } from "./network.ts";
import { mountOverlay, type Overlay } from "./overlay.ts";

export interface Rack {
  /** A machine with the image on its disk. It is off. */
  add(name: string, address: string): Machine;
  /** Puts another disk, with the image, into a machine that is off. */
  replaceDisk(name: string): Machine;
  /** The folder that every machine has as /backups. */
  backups: string;
  /** Switches everything off and deletes the disks. */
  remove(): Promise<void>;
}

interface RackOptions {
  folder: string;
  logs: string;
  image: string[];
  network: Network;
}

interface Slot {
  machine: Machine;
  disk: Overlay;
  namespace: string;
}

export function createRack({ folder, logs, image, network }: RackOptions): Rack {
  const backups = join(folder, "backups");
  mkdirSync(backups, { recursive: true });
  const slots = new Map<string, Slot>();
  let disks = 0;

  function insert(name: string, namespace: string): Machine {
    disks += 1;
    const disk = mountOverlay(image, join(folder, `disk-${disks}`));
    const machine = createMachine({
      name,
      root: disk.root,
      networkNamespace: namespace,
      backups,
      log: join(logs, `${name}.log`),
    });
    slots.set(name, { machine, disk, namespace });
    return machine;
  }

  return {
    backups,
    add: (name, address) => insert(name, network.connect(name, address)),
    replaceDisk(name) {
      const slot = slots.get(name);
      if (!slot) throw new Error(`There is no machine ${name}`);
      slot.disk.unmount();
      return insert(name, slot.namespace);
    },
    async remove() {
      for (const { machine, disk } of slots.values()) {
        machine.recordJournal();
        await machine.kill();
        disk.unmount();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
