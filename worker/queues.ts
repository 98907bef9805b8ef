import { PgBoss } from "pg-boss";
import type { Database } from "#core/database/connect.ts";
import { JOBS_SCHEMA, QUEUES } from "#core/mail/queue.ts";

const ONE_YEAR_S = 365 * 24 * 3600;

const RETRY_POLICY = {
  // The delivery's age limits retries, because the number of attempts depends on how many mails are pending.
  retryLimit: 1_000_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: ONE_YEAR_S,
  heartbeatSeconds: 10,
  expireInSeconds: 300,
  deleteAfterSeconds: 60,
};

/** Creates or updates pg-boss's schema and our queues, which the mail worker has no right to. */
export async function installQueues(db: Database): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => db.pool.query(text, values) },
    schema: JOBS_SCHEMA,
    supervise: false,
    schedule: false,
  });
  const errors: unknown[] = [];
  boss.on("error", (reason) => errors.push(reason));
  try {
    await boss.start();
    for (const name of Object.values(QUEUES)) {
      await boss.createQueue(name, RETRY_POLICY);
      // createQueue leaves the options of an existing queue as an earlier version set them.
      await boss.updateQueue(name, RETRY_POLICY);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  if (errors.length) throw errors[0];
}
