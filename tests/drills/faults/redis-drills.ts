import { setTimeout as pause } from "node:timers/promises";
import { startScratchRedis } from "#tests/support/scratch-redis.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { countUnexpected } from "./clients.ts";
import { type Drill, type Outcome, runScenario } from "./drill.ts";

const LIMIT = 500;

export function breakRedis(signal: "SIGKILL" | "SIGSTOP"): Drill {
  async function run(preload?: string): Promise<Outcome> {
    const redis = await startScratchRedis();
    const env = { REDIS_URL: redis.url, SECRET: "an example secret of 32 characters", LIMIT_PER_CLIENT: String(LIMIT) };
    try {
      return await runScenario(
        { postgres: startScratchPostgres, env, ...(preload && { preload }) },
        async ({ clients: { ledger } }, check) => {
          while (ledger.acknowledged.size < LIMIT / 5) await pause(10);
          redis.signal(signal);
          await pause(4000);
          const unexpected = countUnexpected(ledger, [201, 429]);
          check(unexpected === 0, `${unexpected} responses were neither 201 nor 429`);
          const accepted = ledger.acknowledged.size;
          check(accepted <= 2 * LIMIT, `${accepted} sign-ups passed the limit of ${LIMIT}, more than twice as many`);
        },
      );
    } finally {
      await redis.stop();
    }
  }
  return {
    name: `Redis ${signal === "SIGKILL" ? "killed" : "frozen"}`,
    run: () => run(),
    controls: [
      { without: "a fallback", run: () => run("require-redis"), finds: /responses were neither 201 nor 429$/ },
      { without: "counts from before the failure", run: () => run("count-late"), finds: /passed the limit/ },
    ],
  };
}
