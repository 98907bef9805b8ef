import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { descendantsOf } from "#tests/support/process-tree.ts";
import { nextFreePort } from "#tools/dev/free-port.ts";
import type { Postgres } from "#tools/dev/scratch-postgres.ts";
import { type Etcds, startEtcds } from "./etcd.ts";
import { untilAllReplicate } from "./members.ts";
import { createNode, type PatroniNode } from "./node.ts";
import { postgresOwner, signalAll } from "./processes.ts";

export interface Cluster extends Postgres {
  nodes: PatroniNode[];
  etcds: Etcds;
  isSynchronous: boolean;
  /** The URL of one node, without HAProxy. */
  directUrl(node: PatroniNode): string;
}

export interface ClusterOptions {
  /** Which of etcd's APIs Patroni uses. */
  api?: "v2" | "v3";
  isSynchronous?: boolean;
  /** How often Patroni looks at etcd, in seconds, if not as often as we ship it. */
  loopWait?: number;
}

const END_SIGNALS = ["SIGINT", "SIGTERM"] as const;
const NAMES = ["one", "two", "three"];
/**
 * Below the ports that the kernel gives to outgoing connections, and apart from another drill's: a port that is free
 * now must be free after a restart.
 */
const FIRST_PORT = 20_000 + (process.pid % 400) * 25;

/** Three PostgreSQLs with Patroni, three etcds and HAProxy, with the settings in deploy/ha/. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { api = "v2", isSynchronous = true, loopWait } = options;
  const scratch = await mkdtemp(join(tmpdir(), "farwatch-ha-"));
  const owner = postgresOwner();
  const wal = join(scratch, "wal");
  await mkdir(wal);
  for (const folder of [scratch, wal]) await chown(folder, owner.uid, owner.gid);
  let lastPort = FIRST_PORT;
  const takePort = async () => {
    lastPort = await nextFreePort(lastPort + 1);
    return lastPort;
  };
  const etcdPorts = [];
  for (const _ of NAMES) etcdPorts.push({ client: await takePort(), peer: await takePort() });
  const etcds = startEtcds(scratch, etcdPorts, owner);

  const password = randomBytes(18).toString("base64url");
  const env = {
    [api === "v2" ? "PATRONI_ETCD_HOSTS" : "PATRONI_ETCD3_HOSTS"]: etcds.hosts,
    PATRONI_RESTAPI_USERNAME: "patroni",
    PATRONI_RESTAPI_PASSWORD: password,
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_REWIND_PASSWORD: password,
  };
  let settings = readFileSync("deploy/ha/patroni.yaml", "utf8").replaceAll("/backups/wal", wal);
  if (!isSynchronous) settings = settings.replaceAll(/(synchronous_mode(_strict)?): true/g, "$1: false");
  if (loopWait) settings = settings.replace(/loop_wait: \d+/, `loop_wait: ${loopWait}`);
  const nodes: PatroniNode[] = [];
  for (const name of NAMES) {
    const ports = { port: await takePort(), patroniPort: await takePort() };
    nodes.push(await createNode({ name, scratch, ...ports, settings, env, owner }));
  }
  const port = await takePort();
  const stopHaproxy = startHaproxy(port, nodes);
  const urlOf = (at: number) => `postgres://farwatch:${password}@127.0.0.1:${at}/farwatch`;
  const killAll = async () => {
    await Promise.all([stopHaproxy(), ...nodes.map((node) => node.kill()), etcds.stop()]);
    for (const signal of END_SIGNALS) process.removeListener(signal, endNow);
  };
  // PostgreSQL is no child of ours, and Patroni and etcd run in process groups that Ctrl-C doesn't reach.
  const endNow = () => {
    void killAll();
    signalAll(descendantsOf(process.pid), "SIGKILL");
    process.exit(130);
  };
  for (const signal of END_SIGNALS) process.once(signal, endNow);
  const cluster: Cluster = {
    url: urlOf(port),
    nodes,
    etcds,
    isSynchronous,
    directUrl: (node) => urlOf(node.port),
    async stop() {
      await killAll();
      await rm(scratch, { recursive: true, force: true });
    },
  };
  try {
    for (const node of nodes) node.start();
    const leader = await untilAllReplicate(cluster);
    await leader.psql(`create role farwatch login password '${password}'`);
    await leader.psql("create database farwatch owner farwatch");
    return cluster;
  } catch (reason) {
    await killAll();
    throw new Error(`The cluster did not start; its logs are in ${scratch}`, { cause: reason });
  }
}

/** Returns what stops it. */
function startHaproxy(port: number, nodes: PatroniNode[]): () => Promise<void> {
  const addresses = nodes.flatMap(({ name, port, patroniPort }) => [
    [name.toUpperCase(), `127.0.0.1:${port}`],
    [`${name.toUpperCase()}_PATRONI`, String(patroniPort)],
  ]);
  const haproxy = spawn("haproxy", ["-db", "-q", "-f", "deploy/ha/haproxy.cfg"], {
    env: { PATH: process.env.PATH, PRIMARY: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(haproxy, "exit");
  return async () => {
    haproxy.kill();
    await exited;
  };
}
