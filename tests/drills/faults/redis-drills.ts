import { setTimeout as pause } from "node:timers/promises";
import { startScratchRedis } from "#tests/support/scratch-redis.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { type Drill, type Outcome, perform } from "./drill.ts";
import { endedOtherwise } from "./ledger.ts";

const LIMIT = 500;

export function breakRedis(signal: "SIGKILL" | "SIGSTOP"): Drill {
  async function run(limit: number): Promise<Outcome> {
    const redis = await startScratchRedis();
    const env = { REDIS_URL: redis.url, SECRET: "x".repeat(32), LIMIT_PER_CLIENT: String(limit) };
    try {
      return await perform({ postgres: startScratchPostgres, env }, async ({ crowd: { ledger } }, check) => {
        await pause(300);
        redis.signal(signal);
        await pause(4000);
        const failures = endedOtherwise(ledger, [201, 429]);
        check(failures === 0, `everybody is in or told to wait, but for ${failures}`);
        check(ledger.acknowledged.size <= 2 * LIMIT, `the limit holds twice over: ${ledger.acknowledged.size} are in`);
      });
    } finally {
      await redis.stop();
    }
  }
  return {
    name: `Redis ${signal === "SIGKILL" ? "killed" : "frozen"}`,
    run: () => run(LIMIT),
    control: async () => (await run(1_000_000_000)).broken.length > 0,
  };
}
