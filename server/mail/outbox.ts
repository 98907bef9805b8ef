import type { Database } from "#server/database/connect.ts";

/** How many mails to confirm an address gets, ever. The second and third only when it is signed up again. */
const MOST_MAILS = 3;

/**
 * Marks those who were signed up again and have not confirmed: perhaps the first mail was lost. One a day at most,
 * whoever asks for it and however often.
 */
export async function markAgain(db: Database, emailKeys: string[]): Promise<void> {
  await db.pool.query({
    name: "mark-mail-again",
    text: `
      update sign_ups set mail_due = true
      where email_key = any($1) and confirmed_at is null and rejected_at is null and not mail_due
        and mails between 1 and ${MOST_MAILS - 1} and last_mail_at < now() - interval '24 hours'`,
    values: [emailKeys],
  });
}
