import type { PgBoss } from "pg-boss";
import type { Database } from "#core/database/connect.ts";
import { adoptConfirmation } from "#core/mail/deliveries.ts";
import { OLD_QUEUES } from "#core/mail/queue.ts";

/** A job of version 1.0.0. */
interface OldJob {
  signUpId: string;
  number: number;
}

const OPTIONS = { batchSize: 100, burstWhenBatchFull: true, pollingIntervalSeconds: 30 };

/** Turns the jobs and dead letters that version 1.0.0 leaves into deliveries. They keep their Message-ID. */
export async function adoptOldJobs(boss: PgBoss, db: Database): Promise<void> {
  const found = await boss.getQueues(Object.values(OLD_QUEUES));
  for (const [state, name] of Object.entries(OLD_QUEUES) as ["pending" | "failed", string][]) {
    if (!found.some((queue) => queue.name === name)) continue;
    await boss.work<OldJob>(name, OPTIONS, async (jobs) => {
      for (const { data } of jobs) await adoptConfirmation(db, data.signUpId, data.number, state);
    });
  }
}
