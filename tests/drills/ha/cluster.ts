import { execFileSync } from "node:child_process";
import { addRepository, bareDebian, cached } from "#tests/drills/debian/image.ts";
import type { Machine } from "#tests/drills/debian/machine.ts";
import { RANGE } from "#tests/drills/debian/network.ts";
import { createRack } from "#tests/drills/debian/rack.ts";
import { readOperations, typeAll } from "#tests/drills/debian/typing.ts";
import type { Keep } from "#tests/drills/harness/parts.ts";
import { until } from "#tests/drills/harness/until.ts";
import { adapt, readGuide } from "#tests/support/guide.ts";

export const NAMES = ["one", "two", "three"];
export const addressOf = (name: string) => `10.203.0.${NAMES.indexOf(name) + 1}`;

export type Cluster = Awaited<ReturnType<typeof createCluster>>;

/** A row of `patronictl list`. */
interface Member {
  Member: string;
  Role: "Leader" | "Sync Standby" | "Replica";
  State: string;
  "Lag in MB"?: number | string;
}

/** Sets up three machines with the commands of docs/high-availability.md. */
export async function createCluster(keep: Keep) {
  const rack = await createRack(keep, "results/ha");
  const guide = readGuide("docs/high-availability.md");
  const operations = readOperations();
  const debian = await bareDebian("bookworm");
  const image = [await buildApplication(), debian];
  const machines = new Map<string, Machine>();
  let passwords = "";
  const section = (name: string, heading: string) => typeAll(the(name), guide.blocks(heading));

  function the(name: string): Machine {
    const machine = machines.get(name);
    if (!machine) throw new Error(`There is no machine ${name}`);
    return machine;
  }

  /** Runs the commands up to the application's build once, because all machines share the result. */
  async function buildApplication(): Promise<string> {
    const commands = [
      ...guide.blocks("Packages and application"),
      ...operations.commands("Install packages", "Install the application"),
    ];
    const tree = execFileSync("git", ["ls-tree", "HEAD"], { encoding: "utf8" });
    const source = tree.split("\n").filter((line) => !/\t(docs|tests|.*\.md)$/.test(line));
    return cached("application", [debian, ...source, ...commands].join("\n"), async (changes) => {
      const machine = await rack.boot("image", "10.203.0.9", { image: [debian], changes, prepare: addRepository });
      await operations.openShell(machine);
      await typeAll(machine, commands);
      await machine.stop();
    });
  }

  /** Sets the variables that a new shell needs. */
  async function introduce(name: string, state: "new" | "existing"): Promise<void> {
    const [choosePasswords = "", ownAddresses = ""] = guide.blocks("Install");
    passwords ||= await the(name).type(choosePasswords);
    await the(name).type(passwords);
    await the(name).type(
      adapt(ownAddresses, {
        "10.0.0.0/24": RANGE,
        "10.0.0.": "10.203.0.",
        "ME=one": `ME=${name}`,
        "ADDRESS=$ONE": `ADDRESS=$${name.toUpperCase()}`,
        "STATE=new": `STATE=${state}`,
      }),
    );
    await operations.openShell(the(name));
  }

  async function start(name: string, state: "new" | "existing"): Promise<void> {
    machines.set(name, await rack.boot(name, addressOf(name), { image }));
    await introduce(name, state);
    await section(name, "Firewall");
  }

  const [toPrimary = "", migrate = ""] = guide.blocks("Connect the servers");
  async function startServers(name: string): Promise<void> {
    const [serveRole = "", sameSecret = ""] = guide.blocks("Start the servers");
    await the(name).type(serveRole);
    await typeAll(the(name), operations.commands("Write settings and secrets", "Write settings and secrets"));
    await the(name).type(sameSecret);
    await typeAll(the(name), operations.commands("Start the services", "Check that it works"));
  }

  const cluster = {
    rack,
    guide,
    the,
    /** The database of one machine, bypassing HAProxy. */
    urlOf(name: string) {
      const password = /MIGRATE=(\w+)/.exec(passwords)?.[1];
      return `postgres://farwatch:${password}@${addressOf(name)}/farwatch`;
    },
    /** The role of the standby that may succeed the leader. */
    successor: "Sync Standby" as Member["Role"],
    /** Waits until all machines except `gone` replicate, and returns the leader and the standbys. */
    untilComplete(...gone: string[]) {
      const [asked = ""] = NAMES.filter((name) => !gone.includes(name));
      return until("the cluster is complete", async () => {
        // patronictl fails while there is no leader.
        const printed = await the(asked).type("patronictl list --format json 2>/dev/null || true");
        const listed: Member[] = printed ? JSON.parse(printed) : [];
        // A dead machine stays listed for a while, even as the sync standby.
        const members = listed.filter(({ Member }) => !gone.includes(Member));
        const named = (role: Member["Role"]) => members.find((member) => member.Role === role)?.Member;
        const [leader, syncStandby] = [named("Leader"), named(cluster.successor)];
        const running = members.filter(
          ({ State, "Lag in MB": lag }) => /running|streaming/.test(State) && !Number(lag ?? 0),
        );
        if (!leader || !syncStandby || running.length < NAMES.length - gone.length) return undefined;
        const other = NAMES.find((name) => name !== leader && name !== syncStandby) ?? "";
        return { leader, syncStandby, other };
      });
    },
    /** Starts a machine that is off. */
    async boot(name: string) {
      await the(name).boot();
      await introduce(name, "existing");
      const [, definePatronictl = ""] = guide.blocks("Start PostgreSQL");
      await the(name).type(definePatronictl);
    },
    /** Replaces a stopped machine with a bare one. The working machine updates etcd's member list. */
    async replace(name: string, working: string) {
      await the(name).stop();
      const [commands = ""] = guide.blocks("Add or replace a machine");
      const [names = "", list = "", ...change] = adapt(commands, { $ONE: `$${working.toUpperCase()}` }).split("\n");
      const id =
        new RegExp(`^(\\w+): name=${name} `, "m").exec(await the(working).type(`${names}\n${list}`))?.[1] ?? "";
      await the(working).type(adapt(change.join("\n"), { "<id>": id, three: name, THREE: name.toUpperCase() }));
      await start(name, "existing");
      for (const heading of ["Start etcd", "Start PostgreSQL"]) await section(name, heading);
      await the(name).type(toPrimary);
      await startServers(name);
    },
  };

  const [one = "", ...others] = NAMES;
  await start(one, "new");
  await Promise.all(others.map((name) => start(name, "new")));
  await Promise.all(NAMES.map((name) => section(name, "Start etcd")));
  await section(one, "Start PostgreSQL");
  await Promise.all(others.map((name) => section(name, "Start PostgreSQL")));
  const { leader } = await cluster.untilComplete();
  await section(leader, "Create the database");
  await Promise.all(NAMES.map((name) => the(name).type(toPrimary)));
  await the(one).type(migrate);
  for (const name of NAMES) await startServers(name);
  return cluster;
}
