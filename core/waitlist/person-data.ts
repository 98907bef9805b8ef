import type { Database } from "#core/database/connect.ts";
import { readConsents } from "#core/database/consents.ts";
import { readMailbox } from "#core/mail/mailboxes.ts";

/** Everything stored about one person. */
export async function readPersonData(db: Database, emailKey: string) {
  const signUp = await readSignUp(db, emailKey);
  const consents = signUp ? await readConsents(db, signUp.id) : [];
  const deliveries = signUp ? await readDeliveries(db, signUp.id) : [];
  const quarantine = (await Array.fromAsync(readQuarantineBatches(db, emailKey))).flat();
  return { signUp, consents, deliveries, mailbox: await readMailbox(db, emailKey), quarantine };
}

export type PersonData = Awaited<ReturnType<typeof readPersonData>>;

/** The person's row on the list, or null. */
export async function readSignUp(db: Database, emailKey: string) {
  return (await db.selectFrom("sign_ups").selectAll().where("email_key", "=", emailKey).executeTakeFirst()) ?? null;
}

/** The mails to this person: one row per message, of which there are few. */
export async function readDeliveries(db: Database, signUpId: string) {
  return db
    .selectFrom("deliveries")
    .innerJoin("messages", "messages.id", "message_id")
    .select(["messages.kind", "messages.subject", "deliveries.state", "deliveries.reason", "deliveries.copies"])
    .select(["deliveries.created_at", "deliveries.first_tried_at", "deliveries.tried_at", "deliveries.next_try_at"])
    .select(["deliveries.sent_at"])
    .where("sign_up_id", "=", signUpId)
    .orderBy("message_id")
    .execute();
}

const BATCH_SIZE = 500;

export async function* readQuarantineBatches(db: Database, emailKey: string) {
  for (let last = "0"; ; ) {
    const rows = await db
      .selectFrom("quarantine")
      .selectAll()
      .where("email_key", "=", emailKey)
      .where("id", ">", last)
      .orderBy("id")
      .limit(BATCH_SIZE)
      .execute();
    yield rows;
    if (rows.length < BATCH_SIZE) return;
    last = rows.at(-1)?.id ?? last;
  }
}
