import { type Kysely, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { CONFIRMATION, isPersonal } from "#core/mail/recipients.ts";
import { isListed } from "#core/people/states.ts";
import { hasPending } from "./choose-mails.ts";
import { turnsAfter } from "./due-confirmations.ts";
import { ratesOf } from "./health.ts";

export interface MailStatus {
  /** Mails that are due and not sent. Excludes bulk messages, which have their own pace. */
  waiting: number;
  /** When the oldest due mail started to wait. */
  waitingSince: Date | null;
  dead: number;
  /** Mails tried in the last full minute. */
  perMinute: number;
  /** People whose confirmation the mail server accepted. */
  mailed: number;
  lastSentAt: Date | null;
  lastFailure: { reason: string; at: Date } | null;
  /** How long every email has failed because of the mail server, or at least five for any reason. */
  failingSeconds: number;
  /** The last 30 days: people mailed, those at Gmail, and how many bounced, complained or unsubscribed. */
  lastMonth: Record<"mails" | "gmail" | "bounced" | "complained" | "unsubscribed", number>;
  rates: ReturnType<typeof ratesOf>;
  /** Messages that paused themselves, and mail providers whose events suppressed too many people. */
  selfPaused: number;
  stoppedSources: string[];
  /** Mail has been waiting for ten minutes, and none was tried in that time, so no worker is running. */
  isStalled: boolean;
}

export const MAX_WAIT_MINUTES = 10;
/** Counting stops here, so that a scrape stays cheap after a launch that leaves a million mails due. */
const MAX_COUNTED = 100_000;
/** Networks in which we look for the oldest due mail, with one index lookup each. */
const MAX_NETWORKS = 1000;

/**
 * For metrics, console and command line. Reads only partial indexes and stored counts, because it runs every few
 * seconds. We don't store when someone signs up again, so `waitingSince` ignores their mail, and `isStalled` treats it
 * as overdue.
 */
export async function readMailStatus(db: Kysely<Tables>): Promise<MailStatus> {
  const tooLongAgo = sql`now() - make_interval(mins => ${MAX_WAIT_MINUTES})`;
  const counted = await sql<Omit<MailStatus, "rates">>`
    with recursive turns as (${turnsAfter()}), flagged as (
      select joined_at, (select true from deliveries where sign_up_id = sign_ups.id limit 1) as is_again
      from (select id from turns limit ${MAX_NETWORKS}) as first join sign_ups using (id)
    ), tried as (
      select coalesce(first_tried_at, next_try_at) as since from deliveries
      where ${isPersonal} and state = 'pending' and next_try_at < 'infinity'
        and (first_tried_at is not null or next_try_at <= now())
      limit ${MAX_COUNTED}
    ), failed as (
      select reason, coalesce(tried_at, created_at) as at from deliveries where state = 'failed' limit ${MAX_COUNTED}
    ), retried as (
      select reason, first_tried_at, tried_at as at from deliveries
      where state = 'pending' and next_try_at is not null and first_tried_at is not null limit ${MAX_COUNTED}
    ), reported as (
      select state, reported_at, unsubscribed_at from deliveries
      where greatest(reported_at, soft_bounced_at, unsubscribed_at) > now() - interval '30 days' limit ${MAX_COUNTED}
    ), month as (
      select coalesce(sum(people), 0) as mails, coalesce(sum(gmail), 0) as gmail,
        (select count(*) from reported where state = 'bounced') as bounced,
        (select count(*) from reported where state = 'complained') as complained,
        (select count(unsubscribed_at) from reported) as unsubscribed
      from mail_minutes where minute > now() - interval '30 days'
    )
    select
      (select count(*) from (select from sign_ups where mail_network is not null and ${isListed} limit ${MAX_COUNTED}) as due)::integer
        + (select count(*) from tried)::integer as waiting,
      least((select min(joined_at) from flagged where is_again is null), (select min(since) from tried)) as "waitingSince",
      (select count(*) from failed)::integer as dead,
      (
        select coalesce(sum(mails), 0) from mail_minutes where minute = date_trunc('minute', now()) - interval '1 minute'
      )::integer as "perMinute",
      (select coalesce(sum(reached), 0) from delivery_counts where message_id = ${CONFIRMATION})::integer as mailed,
      (select max(last_sent_at) from delivery_counts) as "lastSentAt",
      (
        select to_json(failure) from (table failed union all select reason, at from retried where reason is not null) as failure
        order by at desc limit 1
      ) as "lastFailure",
      coalesce((
        select extract(epoch from now() - greatest(min(first_tried_at), (select max(last_sent_at) from delivery_counts)))
        from retried where at > ${tooLongAgo}
        -- nodemailer's codes for a response about one email.
        having bool_or(coalesce(reason, '') !~ '^E(ENVELOPE|MESSAGE)') or count(*) >= 5
      ), 0)::integer as "failingSeconds",
      (select to_json(month) from month) as "lastMonth",
      (select count(*) from messages where state = 'paused' and pause_reason is not null)::integer as "selfPaused",
      array(select source from mail_sources where stopped_at is not null order by 1) as "stoppedSources",
      not exists (select from mail_minutes where minute > ${tooLongAgo}) and (
        exists (select from flagged where joined_at < ${tooLongAgo})
        or exists (
          select from messages where state = 'sending' and (
            ${hasPending(sql`next_try_at < ${tooLongAgo}`)}
            or next_release_at < ${tooLongAgo} and ${hasPending(sql`next_try_at is null`)}
          )
        )
      ) as "isStalled"`.execute(db);
  const status = onlyRow(counted);
  const { lastFailure, lastMonth } = status;
  return {
    ...status,
    rates: ratesOf(lastMonth),
    lastFailure: lastFailure && { ...lastFailure, at: new Date(lastFailure.at) },
  };
}
