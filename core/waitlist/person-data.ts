import type { Database } from "#core/database/connect.ts";
import { readConsents } from "#core/database/consents.ts";

/** Everything stored about one person. */
export async function readPersonData(db: Database, emailKey: string) {
  const signUp = await readSignUp(db, emailKey);
  const consents = signUp ? await readConsents(db, signUp.id) : [];
  const quarantine = (await Array.fromAsync(readQuarantineBatches(db, emailKey))).flat();
  return { signUp, consents, quarantine };
}

export type PersonData = Awaited<ReturnType<typeof readPersonData>>;

/** The person's row on the list, or null. */
export async function readSignUp(db: Database, emailKey: string) {
  return (await db.selectFrom("sign_ups").selectAll().where("email_key", "=", emailKey).executeTakeFirst()) ?? null;
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
