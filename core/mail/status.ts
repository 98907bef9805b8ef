import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type MailHealth, readMailHealth } from "./health.ts";
import { CONFIRMATION } from "./recipients.ts";

interface MailTotals {
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
}

export type MailStatus = MailTotals & Pick<MailHealth, "waitingSince" | "perMinute" | "lastFailure" | "heldUntil">;

/** What the console shows of mail, and totals. Only `confirmed` and `rejected` read the whole list. */
export async function readMailStatus(db: Database): Promise<MailStatus> {
  const { waitingSince, perMinute, lastFailure, heldUntil } = await readMailHealth(db);
  const { rows } = await sql<MailTotals>`
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
      (select max(tried_at) from deliveries where state = 'pending' and queued_at is not null) as "lastTried"
    from (
      select count(confirmed_at)::integer as confirmed, count(rejected_at)::integer as rejected from sign_ups
    ) as people`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error("The count returned no row");
  return { ...totals, waitingSince, perMinute, lastFailure, heldUntil };
}
