import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type MailBacklog, readMailBacklog } from "./backlog.ts";

export interface MailHealth extends MailBacklog {
  /** Tried in the last full minute. */
  perMinute: number;
  /** When the mail server last accepted a mail. */
  lastSentAt: Date | null;
  /** The last mail that was given up. */
  lastFailure: { reason: "refused" | "invalid" | "expired"; at: Date } | null;
  /** Until when a surge of sign-ups holds mail back. */
  heldUntil: Date | null;
}

/** Bounds the search for the last failure, like the counts of the backlog. */
const MAX_FAILURES = 100_000;

/** Reads only partial indexes and counts, because the console asks every few seconds. */
export async function readMailHealth(db: Database): Promise<MailHealth> {
  const { rows } = await sql<Omit<MailHealth, keyof MailBacklog | "lastFailure">>`
    select
      (
        select coalesce(sum(mails), 0) from mail_minutes where minute = date_trunc('minute', now()) - interval '1 minute'
      )::integer as "perMinute",
      (select max(last_sent_at) from delivery_counts) as "lastSentAt",
      (select until from mail_hold where until > now()) as "heldUntil"`.execute(db);
  const [health] = rows;
  if (!health) throw new Error("The count returned no row");
  const failures = await sql<NonNullable<MailHealth["lastFailure"]>>`
    select reason, at from (
      select reason, coalesce(tried_at, created_at) as at from deliveries where state = 'failed' limit ${MAX_FAILURES}
    ) as failures
    order by at desc limit 1`.execute(db);
  return { ...(await readMailBacklog(db.pool)), ...health, lastFailure: failures.rows[0] ?? null };
}
