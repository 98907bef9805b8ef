import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { signalTree } from "#tests/support/process-tree.ts";
import { startScratchRedis } from "#tests/support/scratch-redis.ts";
import type { Audit } from "./audit.ts";
import type { Ledger } from "./ledger.ts";
import { type Service, type ServiceOptions, underLoad, untilTaken } from "./service.ts";

interface Outcome extends Audit {
  /** What else the drill had to show, and didn't. */
  broken: string[];
}

export interface Drill {
  name: string;
  run: () => Promise<Outcome>;
  /** The same with what it relies on taken away: must lose sign-ups, or the drill proves nothing. */
  control: () => Promise<Audit>;
}

/** How soon sign-ups are taken again once what was broken is mended. */
const MOST_RETURN_MS = 10_000;
/** Nobody waits longer than this, whatever is broken. */
const MOST_WAIT_MS = 2000;

/** A drill whose control takes "sent" for "acknowledged": whoever was refused must then count as lost. */
function drill(name: string, options: ServiceOptions, act: Act): Drill {
  return {
    name,
    async run() {
      const broken: string[] = [];
      const found = await underLoad(options, (service) => act(service, (isTrue, what) => isTrue || broken.push(what)));
      return { ...found, broken };
    },
    async control() {
      const { crowd, ...found } = await underLoad(options, (service) => act(service, () => {}));
      return { ...found, lost: crowd.sent.size - crowd.acknowledged.size };
    },
  };
}

type Check = (isTrue: boolean, what: string) => void;
type Act = (service: Service, check: Check) => Promise<void>;

export function killPostgres(cycles: number): Drill {
  const act: Act = async ({ postgres, crowd }, check) => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await pause(500 + Math.random() * 500);
      signalTree(postgres.pid(), "SIGKILL");
      await postgres.restart();
      check((await untilTaken(crowd)) < MOST_RETURN_MS, "taken again within 10 s");
    }
  };
  return {
    ...drill(`kill -9 of PostgreSQL, ${cycles} times`, {}, act),
    control: () =>
      underLoad({ settings: ["synchronous_commit=off"], env: { ALLOW_DATA_LOSS: "synchronous_commit" } }, (service) =>
        act(service, () => {}),
      ),
  };
}

export function stopPostgres(seconds: number): Drill {
  return drill(`PostgreSQL stopped for ${seconds} s`, {}, async ({ postgres, servers, crowd }, check) => {
    await pause(1000);
    process.kill(postgres.pid(), "SIGINT");
    await pause(500);
    const before = crowd.ledger.acknowledged.size;
    crowd.ledger.slowestMs = 0;
    const pages = await askRepeatedly(`${servers[0]?.origin}/`, seconds);
    check(
      pages.every((status) => status === 200),
      "the page is always there",
    );
    check(crowd.ledger.slowestMs < 300, `503 within 300 ms, not ${Math.round(crowd.ledger.slowestMs)}`);
    check(crowd.ledger.acknowledged.size === before, "nobody is acknowledged");
    await postgres.restart();
    check((await untilTaken(crowd)) < MOST_RETURN_MS, "taken again within 10 s");
  });
}

export function freezePostgres(seconds: number): Drill {
  return drill(`PostgreSQL frozen for ${seconds} s`, {}, async ({ postgres, crowd }, check) => {
    await pause(1000);
    crowd.ledger.slowestMs = 0;
    signalTree(postgres.pid(), "SIGSTOP");
    await pause(seconds * 1000);
    check(crowd.ledger.slowestMs < MOST_WAIT_MS, `nobody waits ${MOST_WAIT_MS} ms, not ${crowd.ledger.slowestMs}`);
    signalTree(postgres.pid(), "SIGCONT");
    check((await untilTaken(crowd)) < MOST_RETURN_MS, "taken again within 10 s");
  });
}

export const holdConnections = drill(
  "all connections held by others",
  { settings: ["max_connections=20"] },
  async ({ postgres, crowd }, check) => {
    await pause(1000);
    const holders: Client[] = [];
    const first = await hold(postgres.url);
    await first.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()");
    holders.push(first);
    for (let free = true; free; ) {
      await hold(postgres.url).then(
        (holder) => holders.push(holder),
        () => {
          free = false;
        },
      );
    }
    crowd.ledger.slowestMs = 0;
    await pause(3000);
    check(crowd.ledger.slowestMs < MOST_WAIT_MS, "nobody waits two seconds");
    await Promise.all(holders.map((holder) => holder.end()));
    check((await untilTaken(crowd)) < MOST_RETURN_MS, "taken again within 10 s");
  },
);

/** Not a drill that can lose sign-ups; its control is that the limit, were it not counted, would be passed. */
export function breakRedis(signal: "SIGKILL" | "SIGSTOP"): Drill {
  async function run(limit: string): Promise<Outcome> {
    const redis = await startScratchRedis();
    const env = { REDIS_URL: redis.url, SECRET: "x".repeat(32), LIMIT_PER_CLIENT: limit };
    const broken: string[] = [];
    const found = await underLoad({ env }, async ({ crowd }) => {
      await pause(1000);
      redis.signal(signal);
      await pause(4000);
      const failures = failed(crowd.ledger);
      if (failures) broken.push(`no 5xx, not ${failures}`);
      // Counted together before, and by each of the two instances after.
      if (crowd.ledger.acknowledged.size > 3 * 500) broken.push("the limit holds");
    });
    await redis.stop();
    return { ...found, broken };
  }
  return {
    name: `Redis ${signal === "SIGKILL" ? "killed" : "frozen"}`,
    run: () => run("500"),
    async control() {
      const { broken, ...found } = await run("1000000000");
      return { ...found, lost: broken.length };
    },
  };
}

function failed({ statuses }: Ledger): number {
  return [...statuses].reduce((sum, [status, times]) => (status === 0 || status >= 500 ? sum + times : sum), 0);
}

async function askRepeatedly(url: string, seconds: number): Promise<number[]> {
  const statuses: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(50)) {
    statuses.push((await fetch(url)).status);
  }
  return statuses;
}

async function hold(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}
