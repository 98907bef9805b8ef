import { adapt } from "#tests/support/guide.ts";
import { exportsOf, type Guides } from "./image.ts";
import type { Machine } from "./machine.ts";
import { untilComplete } from "./members.ts";

export interface Installation {
  /** A new cluster on three bare machines. */
  createCluster(machines: Machine[]): Promise<void>;
  /** A bare machine in the place of one that is gone, of the same name; a machine that works tells etcd. */
  replace(machine: Machine, working: Machine): Promise<void>;
}

/** Stands for Let's Encrypt: checks that the challenge would be found, and hands out the certificate in the image. */
const CERTBOT = `certbot() {
  [[ " $* " == *" --webroot -w /var/www/html -d farwatch.example --deploy-hook "* ]]
  mkdir -p /var/www/html/.well-known/acme-challenge
  echo found >/var/www/html/.well-known/acme-challenge/drill
  [ "$(curl --silent http://farwatch.example/.well-known/acme-challenge/drill)" = found ]
  RENEWED_LINEAGE=/opt/drill sh -c "\${!#}"
}`;

/** Types the guide's commands, block by block, from what the image has to machines that serve the site. */
export function readInstallation({ cluster, oneMachine }: Guides): Installation {
  const [choosePasswords = "", ownAddresses = ""] = cluster.blocks("Install");
  let passwords = "";
  const section = async (machine: Machine, guide: keyof Guides, heading: string) => {
    for (const block of { cluster, oneMachine }[guide].blocks(heading)) await machine.type(block);
  };

  async function introduce(machine: Machine, state: "new" | "existing"): Promise<void> {
    const { name } = machine;
    const changes = {
      "ME=one": `ME=${name}`,
      "ADDRESS=$ONE": `ADDRESS=$${name.toUpperCase()}`,
      "STATE=new": `STATE=${state}`,
    };
    await machine.type(passwords);
    await machine.type(adapt(ownAddresses, changes));
    await machine.type(
      [...oneMachine.blocks("Install packages").map(exportsOf), "cd /srv/farwatch", CERTBOT].join("\n"),
    );
    await section(machine, "cluster", "Firewall");
  }

  async function startServers(machine: Machine): Promise<void> {
    const [serveRole = "", sameSecret = ""] = cluster.blocks("Start the servers");
    await machine.type(serveRole);
    await section(machine, "oneMachine", "Write settings and secrets");
    await machine.type(sameSecret);
    for (const heading of ["Start the services", "Enable TLS and the firewall", "Check that it works"])
      await section(machine, "oneMachine", heading);
  }

  const [toPrimary = "", migrate = ""] = cluster.blocks("Connect the servers");
  return {
    async createCluster(machines) {
      const [one, ...others] = machines;
      if (!one) throw new Error("There are no machines");
      passwords = await one.type(choosePasswords);
      await Promise.all(machines.map((machine) => introduce(machine, "new")));
      await Promise.all(machines.map((machine) => section(machine, "cluster", "Start etcd")));
      await section(one, "cluster", "Start PostgreSQL");
      await Promise.all(others.map((machine) => section(machine, "cluster", "Start PostgreSQL")));
      const { leader } = await untilComplete(one, machines.length);
      for (const machine of machines.filter(({ name }) => name === leader))
        await section(machine, "cluster", "Create the database");
      await Promise.all(machines.map((machine) => machine.type(toPrimary)));
      await one.type(migrate);
      for (const machine of machines) await startServers(machine);
    },
    async replace(machine, working) {
      const [commands = ""] = cluster.blocks("Add or replace a machine");
      const [names = "", list = "", ...change] = commands.split("\n");
      const id = new RegExp(`^(\\w+): name=${machine.name} `, "m").exec(await working.type(`${names}\n${list}`))?.[1];
      await working.type(
        adapt(change.join("\n"), { "<id>": id ?? "", three: machine.name, THREE: machine.name.toUpperCase() }),
      );
      await introduce(machine, "existing");
      for (const heading of ["Start etcd", "Start PostgreSQL"]) await section(machine, "cluster", heading);
      await machine.type(toPrimary);
      await startServers(machine);
    },
  };
}
