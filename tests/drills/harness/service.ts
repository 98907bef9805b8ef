import { setTimeout as pause } from "node:timers/promises";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { startNginx, withoutLimits } from "#tests/support/nginx.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { audit } from "./audit.ts";
import { type Change, withChanges } from "./change-source.ts";
import { type ClientOptions, startClients } from "./clients.ts";
import type { Context, Control, Drill, Outcome } from "./drill.ts";
import type { Ledger } from "./ledger.ts";
import type { Keep } from "./parts.ts";

/** A database that servers connect to, and the settings that they need for it. */
interface Connectable {
  url: string;
  env?: Record<string, string>;
}

export interface ServiceOptions<Store> {
  postgres: (keep: Keep) => Promise<Store>;
  /** Creates the schema; by default, the current one. */
  prepare?: (url: string) => Promise<unknown>;
  /** The folder of the version that the servers run; by default, the current one. */
  release?: string;
  env?: Record<string, string>;
  /** One entry per server: the command that wraps the server, such as `prlimit`, or an empty list. */
  wrappers?: string[][];
  /** Whether clients connect to nginx instead of the servers. */
  isBalanced?: boolean;
  clients?: ClientOptions;
  changes?: Change[];
}

/** Servers on one PostgreSQL, and clients that sign up. */
export interface Service<Store> extends Context {
  postgres: Store;
  servers: RunningServer[];
  ledger: Ledger;
  /** Other numbers for the results. */
  figures: Record<string, unknown>;
  addClients(count: number): void;
  /** nginx, or the first server if there is none. */
  origin: string;
  /** Stops a server and starts another, optionally of another release. */
  replace(index: number, release?: string): Promise<void>;
}

/** After this time, late writes have arrived, so a control can't mistake them for lost ones. */
const SETTLE_MS = 500;
const NO_LIMIT = "1000000000";

export const onPostgres = { postgres: (keep: Keep) => keep(startScratchPostgres()) };

/** Starts a service, runs the scenario while clients sign up, and audits the database. */
export async function runUnderLoad<Store extends Connectable>(
  context: Context,
  options: ServiceOptions<Store>,
  scenario: (service: Service<Store>) => Promise<void>,
): Promise<Outcome> {
  const { keep } = context;
  const { wrappers = [[], []], isBalanced = false, prepare = migrateDatabase } = options;
  const postgres = await options.postgres(keep);
  const ports = await Promise.all(
    wrappers.map(async () => ({ port: await freePort(), privatePort: await freePort() })),
  );
  const start = async (index: number, release?: string) => {
    const env = {
      DATABASE_URL: postgres.url,
      LIMIT_PER_CLIENT: NO_LIMIT,
      LIMIT_PER_ADDRESS: NO_LIMIT,
      PORT: String(ports[index]?.port),
      ...(isBalanced && { PRIVATE_PORT: String(ports[index]?.privatePort), DRAIN_MS: "0" }),
      ...postgres.env,
      ...options.env,
    };
    const launch = () => startServer(withChanges(env, options.changes), wrappers[index], release);
    // Retries once, like systemd, because on a busy machine the first connection may time out.
    return keep(launch().catch(launch));
  };
  await prepare(postgres.url);
  const servers = await Promise.all(wrappers.keys().map((index) => start(index, options.release)));
  const ownOrigins = servers.map(({ origin }) => origin);
  const origins = isBalanced ? [(await keep(startNginx(ownOrigins, withoutLimits))).origin] : ownOrigins;
  const clients = await keep(startClients(origins, options.clients));
  const figures: Record<string, unknown> = {};
  await scenario({
    ...context,
    postgres,
    servers,
    ledger: clients.ledger,
    figures,
    addClients: clients.add,
    origin: origins[0] ?? "",
    async replace(index, release) {
      await servers[index]?.stop();
      servers[index] = await start(index, release);
    },
  });
  await clients.stop();
  await pause(SETTLE_MS);
  return { ...(await audit(postgres.url, clients.ledger.acknowledged)), figures };
}

interface Times {
  short: number;
  full: number;
}

export interface LoadDrill<Store> extends Drill {
  scenario: (service: Service<Store>, times: number) => Promise<void>;
  times: Times;
}

interface Spec<Store> extends ServiceOptions<Store>, Pick<Drill, "breaks" | "shows"> {
  /** The number of repetitions or seconds. */
  times?: Times;
  scenario: LoadDrill<Store>["scenario"];
  /** Each control sets options that remove its safeguard. */
  controls: (Omit<Control, "run"> & Partial<ServiceOptions<Store>>)[];
}

/** A drill of a service; its controls run the same scenario with other options. */
export function underLoad<Store extends Connectable>(spec: Spec<Store>): LoadDrill<Store> {
  const { breaks, shows, times = { short: 1, full: 1 }, scenario } = spec;
  const runWith = (options: ServiceOptions<Store>) => (context: Context) =>
    runUnderLoad(context, options, (service) => scenario(service, times[context.size]));
  return {
    breaks,
    shows,
    times,
    scenario,
    run: runWith(spec),
    controls: spec.controls.map((control) => ({ ...control, run: runWith({ ...spec, ...control }) })),
  };
}
