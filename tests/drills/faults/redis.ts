import { setTimeout as pause } from "node:timers/promises";
import { underLoad } from "#tests/drills/harness/service.ts";
import { startScratchRedis } from "#tests/support/scratch-redis.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

const LIMIT = 500;
const LIMITS = "server/http/rate-limits.ts";

export const killRedis = breakRedis("SIGKILL");
export const freezeRedis = breakRedis("SIGSTOP");

function breakRedis(signal: "SIGKILL" | "SIGSTOP") {
  return underLoad({
    breaks: `Redis ${signal === "SIGKILL" ? "killed" : "frozen"}`,
    shows: "no sign-up fails, and each server limits requests by its own counts",
    env: { SECRET: "an example secret of 32 characters", LIMIT_PER_CLIENT: String(LIMIT) },
    async postgres(keep) {
      const redis = await keep(startScratchRedis());
      return { ...(await keep(startScratchPostgres())), redis, env: { REDIS_URL: redis.url } };
    },
    async scenario({ postgres: { redis }, ledger, check }) {
      while (ledger.acknowledged.size < LIMIT / 5) await pause(10);
      redis.signal(signal);
      await pause(4000);
      check(!ledger.others(201, 429), `a sign-up got neither 201 nor 429, but ${ledger.others(201, 429)}`);
      const accepted = ledger.acknowledged.size;
      check(accepted <= 2 * LIMIT, `${accepted} sign-ups passed the limit of ${LIMIT}, more than twice as many`);
    },
    controls: [
      {
        without: "a fallback",
        finds: /^a sign-up got neither 201 nor 429/,
        changes: [[LIMITS, "skipRedisUntil = Date.now() + REDIS_COOLDOWN_MS;", "throw reason;"]],
      },
      {
        without: "counts from before the failure",
        finds: /passed the limit/,
        changes: [
          [LIMITS, "const exceededHere = await local(request, options);", ""],
          [LIMITS, "skipRedisUntil) return exceededHere;", "skipRedisUntil) return local(request, options);"],
          [LIMITS, "COOLDOWN_MS;\n      return exceededHere;", "COOLDOWN_MS;\n      return local(request, options);"],
        ],
      },
    ],
  });
}
