import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { CONFIRMATION } from "./recipients.ts";

export interface MailStatus {
  /** Confirmations that are due and have no job yet; the name is public, in `mail status --json`. */
  marked: number;
  /** Mails of any kind with a job. */
  waiting: number;
  /** Mails of any kind that the server refused or that failed for two days. */
  dead: number;
  /** People whose confirmation the mail server accepted. */
  mailed: number;
  /** People who confirmed their address. */
  confirmed: number;
  rejected: number;
  /** When the mail server last accepted a mail of any kind. */
  last: Date | null;
  /** When a mail that is waiting was last tried. */
  lastTried: Date | null;
  /** When the first person joined whose first mail has no job yet. */
  waitingSince: Date | null;
  /** Until when a surge of sign-ups holds mail back. */
  heldUntil: Date | null;
}

/** The state of mail. Only `confirmed` and `rejected` read the whole list, everything else an index or a count. */
export async function readMailStatus(db: Database): Promise<MailStatus> {
  const { rows } = await sql<MailStatus>`
    select
      (select count(*) from sign_ups where mail_due)::integer
        + (select count(*) from deliveries where message_id = ${CONFIRMATION} and state = 'pending' and queued_at is null)::integer
        as marked,
      (select count(*) from deliveries where state = 'pending' and queued_at is not null)::integer as waiting,
      (select count(*) from deliveries where state = 'failed')::integer as dead,
      (select coalesce(sum(reached), 0) from delivery_counts where message_id = ${CONFIRMATION})::integer as mailed,
      people.confirmed,
      people.rejected,
      (select max(last_sent_at) from delivery_counts) as last,
      (select max(tried_at) from deliveries where state = 'pending' and queued_at is not null) as "lastTried",
      (
        select min(joined_at) from sign_ups
        where mail_due and not exists (select from deliveries where sign_up_id = id and message_id = ${CONFIRMATION})
      ) as "waitingSince",
      (select until from mail_hold where until > now()) as "heldUntil"
    from (
      select count(confirmed_at)::integer as confirmed, count(rejected_at)::integer as rejected from sign_ups
    ) as people`.execute(db);
  const [status] = rows;
  if (!status) throw new Error("The count returned no row");
  return status;
}
