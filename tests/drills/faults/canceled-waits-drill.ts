import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Drill, MAX_RECOVERY_MS, NOT_RECOVERED, type Outcome, runScenario, type Scenario } from "./drill.ts";
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
  /** The servers without one of the safeguards. */
  const run = (control?: "ignore-notices" | "omit-durable"): Promise<Outcome> => {
    const preload = pathToFileURL(join(import.meta.dirname, `controls/${control}.ts`));
    const env = { LIMIT_PER_ADDRESS: "1000000000", ...(control && { NODE_OPTIONS: `--import=${preload}` }) };
    const postgres = () => startWithStandby("synchronous");
    return runScenario({ postgres, env, clients: { retries: "until acknowledged" } }, scenario);
  };
  return {
    name: `standby lost, commits canceled ${times} times`,
    run: () => run(),
    control: async () => (await run("ignore-notices")).lost > 0 && (await run("omit-durable")).lost > 0,
  };
}
