import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type Owner, type Program, start } from "./processes.ts";

export interface EtcdPorts {
  client: number;
  peer: number;
}

export interface Etcds {
  /** For Patroni: "host:port" of each. */
  hosts: string;
  /** Kills two of three, so that nothing can be written. */
  loseQuorum(): Promise<void>;
  /** Starts those two again, with their data. */
  regainQuorum(): void;
  stop(): Promise<void>;
}

/** Three etcds with the settings we ship. */
export function startEtcds(scratch: string, ports: EtcdPorts[], owner: Owner): Etcds {
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const launch = (index: number): Program => {
    const { client = 0, peer = 0 } = ports[index] ?? {};
    const env = {
      PATH: process.env.PATH,
      ...parseEnv(readFileSync("deploy/ha/etcd.env", "utf8")),
      ETCD_NAME: `etcd${index}`,
      ETCD_DATA_DIR: join(scratch, `etcd${index}`),
      ETCD_INITIAL_CLUSTER: ports.map((each, i) => `etcd${i}=${url(each.peer)}`).join(),
      ETCD_INITIAL_ADVERTISE_PEER_URLS: url(peer),
      ETCD_LISTEN_PEER_URLS: url(peer),
      ETCD_LISTEN_CLIENT_URLS: url(client),
      ETCD_ADVERTISE_CLIENT_URLS: url(client),
    };
    return start("etcd", [], join(scratch, `etcd${index}.log`), { env, cwd: scratch, ...owner });
  };
  const etcds = ports.map((_, index) => launch(index));
  return {
    hosts: ports.map(({ client }) => `127.0.0.1:${client}`).join(),
    async loseQuorum() {
      await Promise.all(etcds.slice(1).map((etcd) => etcd.end("SIGKILL")));
    },
    regainQuorum() {
      for (const index of [1, 2]) etcds[index] = launch(index);
    },
    async stop() {
      await Promise.all(etcds.map((etcd) => etcd.end("SIGKILL")));
    },
  };
}
