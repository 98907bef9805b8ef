import type { Kysely } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { type DueMail, hasDueMail, lockSweep, takeDue } from "#core/mail/outbox.ts";
import { roomInQueue } from "#core/mail/queue.ts";

/**
 * Enqueues jobs for `mail_due` flags while the queue has room, and returns the number of jobs. The flag, the mail count
 * and the job change in one transaction, so that each flag becomes exactly one job, even if a process is killed in
 * between.
 */
export async function sweepDue(
  db: Database,
  perMinute: number,
  enqueue: (transaction: Kysely<Tables>, mails: DueMail[]) => Promise<unknown>,
): Promise<number> {
  // Polled twice a second: when nobody joins, this only reads an empty index and writes nothing.
  if (!(await hasDueMail(db))) return 0;
  return db.transaction().execute(async (transaction) => {
    if (!(await lockSweep(transaction))) return 0;
    const room = await roomInQueue(transaction, perMinute);
    if (room === 0) return 0;
    const mails = await takeDue(transaction, room);
    if (mails.length > 0) await enqueue(transaction, mails);
    return mails.length;
  });
}
