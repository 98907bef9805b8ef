import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { readQueue } from "./queue.ts";

interface MailCounts {
  /** Flagged as due and without a job yet; the name is public, in `mail status --json`. */
  marked: number;
  mailed: number;
  /** Of the people mailed. */
  confirmed: number;
  rejected: number;
  last: Date | null;
  /** When the first person joined whose first mail has no job yet. */
  waitingSince: Date | null;
  /** Until when a surge of sign-ups holds mail back. */
  heldUntil: Date | null;
}

/** The state of confirmation mails: people are counted on the list, mails in the queue. */
export async function readMailStatus(db: Database): Promise<MailCounts & { waiting: number; dead: number }> {
  const { rows } = await sql<MailCounts>`
    select
      count(*) filter (where mail_due)::integer as marked,
      count(*) filter (where mails > 0)::integer as mailed,
      count(*) filter (where mails > 0 and confirmed_at is not null)::integer as confirmed,
      count(rejected_at)::integer as rejected,
      max(last_mail_at) as last,
      min(joined_at) filter (where mail_due and mails = 0) as "waitingSince",
      (select until from mail_hold where until > now()) as "heldUntil"
    from sign_ups`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error("The count returned no row");
  return { ...counts, ...(await readQueue(db)) };
}
