import type { Kysely } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { type DueMail, isAnyDue, takeDue } from "#core/mail/outbox.ts";

/**
 * Turns flags into jobs, and returns how many. Flag, count and job change in one transaction, so that a flag becomes one
 * job and not two, whichever process is killed in between.
 */
export async function sweepDue(
  db: Database,
  enqueue: (transaction: Kysely<Tables>, mails: DueMail[]) => Promise<unknown>,
): Promise<number> {
  // Asked twice a second, also when nobody joins: then it is a look at an empty index, and nothing is written.
  if (!(await isAnyDue(db))) return 0;
  return db.transaction().execute(async (transaction) => {
    const mails = await takeDue(transaction);
    if (mails.length > 0) await enqueue(transaction, mails);
    return mails.length;
  });
}
