import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { formatPercent } from "#core/text/format.ts";

/** Gmail and Yahoo want complaints below 0.3%; SES reviews an account at 0.1% complaints or 5% bounces. */
const HEALTH_LIMITS = {
  complaints: { warn: 0.001, pause: 0.003, minComplaints: 3 },
  bounces: { warn: 0.05, pause: 0.1, minMails: 100 },
};

interface MailCounts {
  mails: number;
  /** Mails to Gmail, which never reports who complained, so the rate of complaints leaves them out. */
  gmail: number;
  bounced: number;
  complained: number;
}

export function ratesOf({ mails, gmail, bounced, complained }: MailCounts) {
  return { bounces: bounced / Math.max(1, mails), complaints: complained / Math.max(1, mails - gmail) };
}

interface Judged {
  state: string;
  pauseReason: keyof typeof HEALTH_LIMITS | null;
  progress: Record<"sent" | "bounced" | "complained", number>;
  results: { gmail: number };
}

export function healthNote({ state, pauseReason, progress, results }: Judged) {
  const { sent, bounced, complained } = progress;
  const rates = ratesOf({ mails: sent + bounced + complained, gmail: results.gmail, bounced, complained });
  const isPaused = state === "paused" && pauseReason;
  const name = isPaused || (["complaints", "bounces"] as const).find((each) => rates[each] >= HEALTH_LIMITS[each].warn);
  if (!name) return undefined;
  const { warn, pause } = HEALTH_LIMITS[name];
  return isPaused
    ? `Paused itself at ${formatPercent(rates[name])} ${name}. If you resume it, it won't pause itself again.`
    : `${formatPercent(rates[name])} ${name}, more than ${formatPercent(warn)}. At ${formatPercent(pause)}, a message pauses itself.`;
}

/** Pauses messages with too many bounces or complaints, each only once, because an operator may have resumed it. */
export async function pauseUnhealthy(transaction: Kysely<Tables>): Promise<void> {
  const { complaints, bounces } = HEALTH_LIMITS;
  await sql`
    update messages set state = 'paused', pause_reason = reason
    from (select id from messages where state = 'sending' and kind in ('reminder', 'invitation', 'announcement')) as sending,
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
