import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { connect } from "#core/database/connect.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { type Balancer, startBalancer } from "#tests/support/balancer.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";
import type { Postgres } from "#tools/dev/scratch-postgres.ts";
import { type Audit, audit } from "./audit.ts";
import { type ClientOptions, type Clients, type Ledger, startClients } from "./clients.ts";

export interface Service<Store extends Postgres> {
  postgres: Store;
  servers: RunningServer[];
  clients: Clients;
  /** The load balancer, or the first server if there is none. */
  origin: string;
  /** Stops a server and starts another, optionally of another release, on the same port. */
  replace(index: number, release?: string): Promise<void>;
}

export interface ServiceOptions<Store extends Postgres> {
  postgres: () => Promise<Store>;
  /** Creates the schema; with the current one by default. */
  prepare?: (url: string) => Promise<unknown>;
  /** The folder of the version that the servers start with; the current one by default. */
  release?: string;
  env?: Record<string, string>;
  /** One server for each: the command that wraps it, such as `prlimit`, or an empty array for none. */
  wrappers?: string[][];
  /** Whether clients connect to a load balancer or directly to the servers. */
  isBalanced?: boolean;
  clients?: ClientOptions;
  /** A file in controls/ that removes a safeguard from the servers. */
  preload?: string;
}

/** A write that is late but not lost has arrived by then, so that no control finds a loss without the fault. */
const SETTLE_MS = 500;

/** Starts servers on one PostgreSQL and clients that sign up, runs the scenario, then audits the database. */
export async function runUnderLoad<Store extends Postgres>(
  {
    postgres: open,
    prepare = migrateDatabase,
    release: firstRelease,
    env = {},
    wrappers = [[], []],
    isBalanced = false,
    clients: clientOptions,
    preload,
  }: ServiceOptions<Store>,
  scenario: (service: Service<Store>) => Promise<void>,
): Promise<Audit & { ledger: Ledger }> {
  const postgres = await open();
  const ports = await Promise.all(
    wrappers.map(async () => ({ port: await freePort(), privatePort: await freePort() })),
  );
  const start = (index: number, release?: string) =>
    startServer(
      {
        DATABASE_URL: postgres.url,
        LIMIT_PER_CLIENT: "1000000000",
        PORT: String(ports[index]?.port),
        ...(isBalanced && { PRIVATE_PORT: String(ports[index]?.privatePort) }),
        ...(preload && {
          NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, `controls/${preload}.ts`))}`,
        }),
        ...env,
      },
      wrappers[index],
      release,
    );
  const servers: RunningServer[] = [];
  let balancer: Balancer | undefined;
  let clients: Clients | undefined;
  try {
    await prepare(postgres.url);
    servers.push(...(await Promise.all(wrappers.keys().map((index) => start(index, firstRelease)))));
    const [blue, green] = ports;
    if (isBalanced && blue && green) balancer = await startBalancer(blue, green);
    const origins = balancer ? [balancer.origin] : servers.map(({ origin }) => origin);
    clients = startClients(origins, clientOptions);
    await scenario({
      postgres,
      servers,
      clients,
      origin: origins[0] ?? "",
      async replace(index, release) {
        await servers[index]?.stop();
        servers[index] = await start(index, release);
      },
    });
    const ledger = await clients.stop();
    await pause(SETTLE_MS);
    const db = connect(postgres.url);
    const found = await audit(db, ledger.acknowledged).finally(() => db.destroy());
    return { ...found, ledger };
  } finally {
    await clients?.stop();
    await balancer?.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await postgres.stop();
  }
}

/** Waits for the next acknowledged sign-up and returns how long that took, in milliseconds. */
export async function untilAcknowledged({ ledger }: Clients): Promise<number> {
  const startedAt = performance.now();
  const before = ledger.acknowledged.size;
  while (ledger.acknowledged.size === before) {
    if (performance.now() - startedAt > 60_000) throw new Error("No sign-up was acknowledged for a minute");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - startedAt;
}
