import { checkReadsDuring } from "#tests/drills/faults/check-reads.ts";
import { countUnexpected } from "#tests/drills/faults/clients.ts";
import type { Check, Outcome } from "#tests/drills/faults/drill.ts";
import { runUnderLoad } from "#tests/drills/faults/service.ts";
import { type ClusterOptions, startCluster } from "./cluster.ts";
import { startDirectWrites } from "./direct-writes.ts";
import { type Disruption, untilSteady } from "./disruptions.ts";
import { startMail } from "./mail.ts";
import { checkVisitorsDuring } from "./visitors.ts";
import { watchWriteGap } from "./write-gap.ts";

export interface HaOutcome extends Outcome {
  /** The longest time without an acknowledged sign-up, per round. */
  gapsMs: number[];
}

/** Few, because three PostgreSQLs, three etcds and everything else share this machine. */
const CLIENTS = 4;

/** Two servers and a mail worker on one cluster; in every round, the disruption and the return to three machines. */
export async function runRounds(disruption: Disruption, rounds: number, options?: ClusterOptions): Promise<HaOutcome> {
  const failures: string[] = [];
  const check: Check = (condition, failure) => condition || failures.push(failure);
  const gapsMs: number[] = [];
  let direct = { lost: 0, stale: 0 };
  const mail = await startMail();
  try {
    const { ledger, ...found } = await runUnderLoad(
      {
        postgres: () => startCluster(options),
        env: { ...mail.env, LIMIT_PER_ADDRESS: "1000000000" },
        clients: { count: CLIENTS, retries: "until acknowledged" },
      },
      async ({ postgres: cluster, servers, clients: { ledger }, origin }) => {
        await mail.startWorker(cluster.url);
        const directWrites = await startDirectWrites(cluster);
        for (let round = 1; round <= rounds; round += 1) {
          const leader = await untilSteady(cluster, ledger);
          const refusedBefore = ledger.statuses.get(503) ?? 0;
          const gap = watchWriteGap(ledger);
          await checkReadsDuring(origin, check, () =>
            checkVisitorsDuring(origin, ledger, check, () => disruption.run(cluster, leader, ledger)),
          );
          gapsMs.push(gap.stop());
          const refused = (ledger.statuses.get(503) ?? 0) - refusedBefore;
          if (disruption.isOutage) check(refused > 0, "no sign-up got a 503, so the fault had no effect");
          console.log(`  round ${round}: ${gapsMs.at(-1)} ms without writes, ${refused} sign-ups refused`);
          await disruption.repair(cluster);
        }
        await untilSteady(cluster, ledger);
        direct = await directWrites.stop();
        await mail.check(cluster.url, check);
        const unexpected = countUnexpected(ledger, [201, 409, 503]);
        check(unexpected === 0, `${unexpected} responses were neither 201, 409 nor 503`);
        for (const { pid } of servers) check(isAlive(pid), "a server has exited");
      },
    );
    check(direct.stale === 0, `${direct.stale} writes were acknowledged by a primary that had a successor`);
    return { ...found, lost: found.lost + direct.lost, failures, gapsMs };
  } finally {
    await mail.stop();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
