import { setTimeout as pause } from "node:timers/promises";
import { type Drill, drill, MAX_RECOVERY_MS, NOT_RECOVERED, type Scenario } from "./drill.ts";
import { untilAcknowledged } from "./service.ts";
import { type PrimaryWithStandby, startWithStandby } from "./standby-drill.ts";

const OPERATOR_INTERVAL_MS = 150;

/**
 * The standby is gone, an operator cancels and terminates the commits that wait for it, clients retry, and then the
 * primary is lost.
 */
export function cancelWaits(times: number): Drill {
  const scenario: Scenario<PrimaryWithStandby> = async ({ postgres, clients }, check) => {
    for (let round = 0; round < times; round += 1) {
      await pause(1500);
      await postgres.cutStandby();
      await pause(500);
      const before = clients.ledger.acknowledged.size;
      for (let attempt = 0; attempt < 30; attempt += 1) {
        await postgres.endWaits(attempt % 3 === 2 ? "terminate" : "cancel");
        await pause(OPERATOR_INTERVAL_MS);
      }
      check(clients.ledger.acknowledged.size === before, "a sign-up was acknowledged without its standby");
      await postgres.failOver();
      check((await untilAcknowledged(clients)) < MAX_RECOVERY_MS, NOT_RECOVERED);
    }
  };
  return drill(
    `standby lost, commits canceled ${times} times`,
    {
      postgres: () => startWithStandby("synchronous"),
      env: { LIMIT_PER_ADDRESS: "1000000000" },
      clients: { retries: "until acknowledged" },
    },
    scenario,
    [
      { without: "attention to PostgreSQL's warnings", by: { preload: "ignore-notices" }, finds: "lost" },
      { without: "waiting with duplicates and retries", by: { preload: "omit-durable" }, finds: "lost" },
    ],
  );
}
