import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { adapt, type Guide } from "#tests/support/guide.ts";
import type { Installation } from "./install.ts";
import type { Machine } from "./machine.ts";
import { untilComplete } from "./members.ts";
import { NETWORK, type Network } from "./network.ts";
import type { Rack } from "./rack.ts";
import { startVisitors } from "./visitors.ts";

interface Parts {
  guide: Guide;
  installation: Installation;
  network: Network;
  rack: Rack;
}

export interface StoryResults {
  installMs: number;
  exposure: string[];
  switchoverMs: number;
  crashMs: number;
  /** Longer than usual if the lost machine had etcd's leader. */
  replacementMs: number;
  acknowledged: number;
  lost: number;
}

const NAMES = ["one", "two", "three"];

/** From three bare machines to a cluster that has lost its primary and one of its disks. */
export async function runStory({ guide, installation, network, rack }: Parts): Promise<StoryResults> {
  const addresses = NAMES.map((_, index) => `${NETWORK.prefix}.${index + 1}`);
  const machines = new Map(NAMES.map((name, index) => [name, rack.add(name, addresses[index] ?? "")]));
  const the = (name = ""): Machine => {
    const machine = machines.get(name);
    assert(machine, `There is no machine ${name}`);
    return machine;
  };
  const without = (...gone: string[]) => NAMES.filter((name) => !gone.includes(name));
  const [, definePatronictl = ""] = guide.blocks("Start PostgreSQL");
  const startedAt = performance.now();

  step("Boots three machines and types the guide");
  await Promise.all([...machines.values()].map((machine) => machine.boot()));
  await installation.createCluster([...machines.values()]);
  const installMs = Math.round(performance.now() - startedAt);
  const first = await untilComplete(the("one"), 3);
  const replication = await the(first.leader).type(
    `su postgres -c "psql -At -c 'select application_name, state, sync_state from pg_stat_replication order by 3'"`,
  );
  const other = without(first.leader, first.syncStandby)[0];
  assert.equal(replication, `${other}|streaming|async\n${first.syncStandby}|streaming|sync`);
  assert.equal(countBackups(rack), 1, "Only the primary makes a backup");
  const exposure = await readExposure(the("one"));

  step("Signs visitors up on all machines");
  const visitors = startVisitors(network.namespace, addresses);
  try {
    await visitors.untilBack();

    step("Switches over");
    const [switchover = ""] = guide.blocks("Maintenance");
    const switching = visitors.watchGap();
    await the(first.leader).type(adapt(switchover, { "--leader one": `--leader ${first.leader}` }));
    await visitors.untilBack();
    const switchoverMs = switching.stop();
    step(`No sign-up was acknowledged for ${switchoverMs} ms`);
    const second = await untilComplete(the("one"), 3);
    assert.notEqual(second.leader, first.leader);
    await visitors.untilBack();

    step(`Kills ${second.leader}, the primary`);
    const crashing = visitors.watchGap();
    network.setCable(second.leader, "down");
    await the(second.leader).kill();
    await visitors.untilBack();
    const crashMs = crashing.stop();
    step(`No sign-up was acknowledged for ${crashMs} ms`);
    const third = await untilComplete(the(without(second.leader)[0]), 2);
    assert.equal(third.leader, second.syncStandby);

    step(`Starts ${second.leader} again`);
    network.setCable(second.leader, "up");
    await the(second.leader).boot();
    await the(second.leader).type(definePatronictl);
    await untilComplete(the(second.leader), 3);
    for (const block of guide.blocks("After a failover")) await the(third.leader).type(block);
    assert.equal(countBackups(rack), 2, "The new primary makes the backup");
    await the(second.leader).type("systemctl start farwatch-nightly");
    assert.equal(countBackups(rack), 2, "A standby makes no backup");

    const [lost = ""] = without(third.leader, "one");
    step(`Replaces ${lost}, a standby`);
    const replacing = visitors.watchGap();
    network.setCable(lost, "down");
    await the(lost).kill();
    machines.set(lost, rack.replaceDisk(lost));
    network.setCable(lost, "up");
    await the(lost).boot();
    const [working = ""] = without(lost).filter((name) => name !== second.leader);
    await installation.replace(the(lost), the(working));
    const last = await untilComplete(the(lost), 3);
    await visitors.untilBack();
    const replacementMs = replacing.stop();
    step(`No sign-up was acknowledged for ${replacementMs} ms`);
    await visitors.stop();

    const stored = new Set(
      (await the(last.leader).type(`su postgres -c "psql -At farwatch -c 'select email from sign_ups'"`)).split("\n"),
    );
    const missing = [...visitors.acknowledged].filter((email) => !stored.has(email));
    console.log(visitors.failures);
    assert.deepEqual(missing, []);
    for (const failure of visitors.failures.keys()) assert.doesNotMatch(failure, /: (4\d\d|500)$/);
    const acknowledged = visitors.acknowledged.size;
    return { installMs, exposure, switchoverMs, crashMs, replacementMs, acknowledged, lost: missing.length };
  } finally {
    await visitors.stop();
  }
}

function step(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

function countBackups({ backups }: Rack): number {
  return readdirSync(backups).filter((name) => name.startsWith("base-")).length;
}

/** Fails if one of our units is rated above 2.0 of 10. */
async function readExposure(machine: Machine): Promise<string[]> {
  const printed = await machine.type(
    `for unit in $(cd /etc/systemd/system && ls farwatch-*.service | sed s/@/@3001/); do
      systemd-analyze --no-pager security --threshold=20 $unit | tail -n 1
    done`,
  );
  return printed.split("\n").map((line) => line.replace(/^\W+/, ""));
}
