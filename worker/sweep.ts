import type { Kysely } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { type Fed, feed, hasWork, lockSweep } from "#core/mail/feed.ts";

/**
 * Gives jobs to pending mails while the queue has room, and returns how many. The delivery and its job change in one
 * transaction, so that each gets exactly one job, even if a process is killed in between.
 */
export async function sweep(
  db: Database,
  perMinute: number,
  enqueue: (transaction: Kysely<Tables>, mails: Fed) => Promise<unknown>,
): Promise<number> {
  if (!(await hasWork(db))) return 0;
  return db.transaction().execute(async (transaction) => {
    if (!(await lockSweep(transaction))) return 0;
    const mails = await feed(transaction, perMinute);
    const count = Object.values(mails).flat().length;
    if (count > 0) await enqueue(transaction, mails);
    return count;
  });
}
