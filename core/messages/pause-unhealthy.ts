import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { HEALTH_LIMITS } from "./health.ts";

/** Pauses messages with too many bounces or complaints, once each: an operator who resumes one has decided. */
export async function pauseUnhealthy(transaction: Kysely<Tables>): Promise<void> {
  const { complaints, bounces } = HEALTH_LIMITS;
  await sql`
    update messages set state = 'paused', pause_reason = reason
    from (select id from messages where state = 'sending' and kind in ('invitation', 'announcement')) as sending,
      lateral (
        select sum(deliveries) as mails, sum(gmail) as gmail,
          coalesce(sum(deliveries) filter (where state = 'bounced'), 0) as bounced,
          coalesce(sum(deliveries) filter (where state = 'complained'), 0) as complained
        from delivery_counts where message_id = sending.id and state in ('sent', 'bounced', 'complained')
      ) as counted,
      lateral (select case
        when complained >= ${complaints.minComplaints} and complained >= ${complaints.pause}::numeric * (mails - gmail) then 'complaints'
        when mails >= ${bounces.minMails} and bounced >= ${bounces.pause}::numeric * mails then 'bounces'
      end as reason) as judged
    where messages.id = sending.id and pause_reason is null and reason is not null`.execute(transaction);
}
