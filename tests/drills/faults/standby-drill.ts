import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { type Line, startLine, through } from "#tests/support/line.ts";
import { signalTree } from "#tests/support/process-tree.ts";
import { type Postgres, type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Act, type Drill, MAX_RECOVERY_MS, perform } from "./drill.ts";
import { untilTaken } from "./service.ts";

interface Pair extends Postgres {
  /** The primary is gone with all that was under way from it; the standby takes its place, and gets one of its own. */
  failOver(): Promise<void>;
}

/** How long what the primary writes is under way to its standby: what is lost with the primary where nobody waits for it. */
const REPLICATION_DELAY_MS = 20;

/** Visitors' lines lead to whichever of the two is the primary, as a moving address would. */
async function startPair(isSynchronous: boolean): Promise<Pair> {
  let primary = await startScratchPostgres();
  const line = await startLine(portOf(primary));
  let standby: ScratchPostgres;
  let replication: Line;

  async function addStandby(): Promise<void> {
    replication = await startLine(portOf(primary));
    standby = await startScratchPostgres({ standbyOf: through(replication, primary.url) });
    replication.delayMs = REPLICATION_DELAY_MS;
    await tell(primary, `alter system set synchronous_standby_names = '${isSynchronous ? "*" : ""}'`);
    await tell(primary, "select pg_reload_conf()");
  }

  await addStandby();
  return {
    url: through(line, primary.url),
    async failOver() {
      const dead = primary;
      signalTree(dead.pid(), "SIGKILL");
      await replication.stop();
      await tell(standby, "select pg_promote()");
      primary = standby;
      line.target = portOf(primary);
      line.cut();
      await dead.stop();
      await addStandby();
    },
    async stop() {
      await line.stop();
      await standby.stop();
      await replication.stop();
      await primary.stop();
    },
  };
}

function portOf({ url }: Postgres): number {
  return Number(new URL(url).port);
}

async function tell({ url }: Postgres, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

export function failOver(times: number): Drill {
  const act: Act<Pair> = async ({ postgres, crowd }, check) => {
    for (let time = 0; time < times; time += 1) {
      await pause(1500);
      await postgres.failOver();
      check((await untilTaken(crowd)) < MAX_RECOVERY_MS, "taken again within 10 s");
    }
  };
  return {
    name: `primary killed and its standby promoted, ${times} times`,
    run: () => perform({ postgres: () => startPair(true) }, act),
    control: async () => (await perform({ postgres: () => startPair(false) }, act)).lost > 0,
  };
}
