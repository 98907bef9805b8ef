import { setTimeout as pause } from "node:timers/promises";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";
import { onPostgres, underLoad } from "#tests/drills/harness/service.ts";
import type { ScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { checkRecovery } from "./outage.ts";
import { ACKNOWLEDGE_EARLY } from "./postgres.ts";

const BATCH = "core/sign-ups/write-batch.ts";

/** Clients retry sign-ups that the killed server may or may not have written. */
export const killServers = underLoad<ScratchPostgres>({
  breaks: "server behind nginx killed",
  shows: "every acknowledged sign-up is in the database, and a retry isn't treated as a duplicate",
  ...onPostgres,
  isBalanced: true,
  clients: { retries: true },
  times: { short: 3, full: 20 },
  async scenario(service, times) {
    const { servers, ledger, check } = service;
    ledger.clear();
    for (let kill = 0; kill < times; kill += 1) {
      await pause(300 + Math.random() * 500);
      const index = kill % servers.length;
      process.kill(servers[index]?.pid ?? 0, "SIGKILL");
      await checkRecovery(service);
      await service.replace(index);
    }
    check(ledger.count(409) === 0, `${ledger.count(409)} retries with an idempotency key got a 409`);
  },
  controls: [
    { without: "a commit before the response", finds: "lost", changes: [ACKNOWLEDGE_EARLY] },
    {
      without: "the unique index",
      finds: "duplicated",
      changes: [[BATCH, "on conflict (email_key) do nothing", ""]],
      async prepare(url) {
        await migrateDatabase(url);
        await executeOn(url, "alter table sign_ups drop constraint sign_ups_email_key_key");
      },
    },
    {
      without: "idempotency keys",
      finds: /retries with an idempotency key got a 409$/,
      changes: [[BATCH, "if (duplicates.length === 0) return", "if (duplicates) return"]],
    },
  ],
});
