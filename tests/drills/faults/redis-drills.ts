import { setTimeout as pause } from "node:timers/promises";
import { startScratchRedis } from "#tests/support/scratch-redis.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { countUnexpected } from "./clients.ts";
import { type Drill, type Outcome, runScenario } from "./drill.ts";

const LIMIT = 500;

export function breakRedis(signal: "SIGKILL" | "SIGSTOP"): Drill {
  async function run(limit: number): Promise<Outcome> {
    const redis = await startScratchRedis();
    const env = { REDIS_URL: redis.url, SECRET: "an example secret of 32 characters", LIMIT_PER_CLIENT: String(limit) };
    try {
      return await runScenario({ postgres: startScratchPostgres, env }, async ({ clients: { ledger } }, check) => {
        await pause(300);
        redis.signal(signal);
        await pause(4000);
        const unexpected = countUnexpected(ledger, [201, 429]);
        check(unexpected === 0, `${unexpected} responses were neither 201 nor 429`);
        const accepted = ledger.acknowledged.size;
        check(accepted <= 2 * LIMIT, `${accepted} sign-ups passed the limit of ${LIMIT}, more than twice as many`);
      });
    } finally {
      await redis.stop();
    }
  }
  return {
    name: `Redis ${signal === "SIGKILL" ? "killed" : "frozen"}`,
    run: () => run(LIMIT),
    control: async () => (await run(1_000_000_000)).failures.length > 0,
  };
}
