import { connect } from "#core/database/connect.ts";
import { migrateDatabase } from "#core/database/migrate.ts";
import { type Balancer, startBalancer } from "#tests/support/balancer.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";
import type { Postgres } from "#tools/dev/scratch-postgres.ts";
import { type Audit, audit } from "./audit.ts";
import { type Crowd, type CrowdOptions, type Ledger, startCrowd } from "./ledger.ts";

export interface Service<Store extends Postgres> {
  postgres: Store;
  servers: RunningServer[];
  crowd: Crowd;
  /** Where visitors arrive: at the load balancer, or at a server. */
  origin: string;
  /** Once the server in that place has ended, another one, or another release, is started at the same address. */
  replace(place: number, release?: string): Promise<void>;
}

export interface ServiceOptions<Store extends Postgres> {
  postgres: () => Promise<Store>;
  env?: Record<string, string>;
  /** One instance for each: the command that runs it, empty for none. */
  under?: string[][];
  /** Whether visitors come by a load balancer, or know the servers themselves. */
  isBalanced?: boolean;
  visitors?: CrowdOptions;
  /** Which of the crowd's words is held against the database. */
  believe?: "acknowledged" | "sent";
}

/** Servers on one PostgreSQL and a crowd that signs up: does to them what the drill does, then looks what is left. */
export async function underLoad<Store extends Postgres>(
  {
    postgres: open,
    env = {},
    under = [[], []],
    isBalanced = false,
    visitors,
    believe = "acknowledged",
  }: ServiceOptions<Store>,
  drill: (service: Service<Store>) => Promise<void>,
): Promise<Audit & { ledger: Ledger }> {
  const postgres = await open();
  const ports = await Promise.all(under.map(async () => ({ port: await freePort(), privatePort: await freePort() })));
  const start = (place: number, release?: string) =>
    startServer(
      {
        DATABASE_URL: postgres.url,
        LIMIT_PER_CLIENT: "1000000000",
        PORT: String(ports[place]?.port),
        ...(isBalanced && { PRIVATE_PORT: String(ports[place]?.privatePort) }),
        ...env,
      },
      under[place],
      release,
    );
  const servers: RunningServer[] = [];
  let balancer: Balancer | undefined;
  let crowd: Crowd | undefined;
  try {
    await migrateDatabase(postgres.url);
    servers.push(...(await Promise.all(under.keys().map((place) => start(place)))));
    const [blue, green] = ports;
    if (isBalanced && blue && green) balancer = await startBalancer(blue, green);
    const origins = balancer ? [balancer.origin] : servers.map(({ origin }) => origin);
    crowd = startCrowd(origins, visitors);
    await drill({
      postgres,
      servers,
      crowd,
      origin: origins[0] ?? "",
      async replace(place, release) {
        await servers[place]?.stop();
        servers[place] = await start(place, release);
      },
    });
    const ledger = await crowd.stop();
    const db = connect(postgres.url);
    const found = await audit(db, ledger[believe]).finally(() => db.destroy());
    return { ...found, ledger };
  } finally {
    await crowd?.stop();
    await balancer?.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await postgres.stop();
  }
}

/** Waits until the crowd is told "you're in" again, and answers how long that took. */
export async function untilTaken({ ledger }: Crowd): Promise<number> {
  const began = performance.now();
  const before = ledger.acknowledged.size;
  while (ledger.acknowledged.size === before) {
    if (performance.now() - began > 60_000) throw new Error("No sign-up was taken for a minute");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - began;
}
