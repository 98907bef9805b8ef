import { formatPercent } from "#core/format.ts";
import type { Message } from "./messages.ts";

/** Gmail and Yahoo want complaints below 0.3%; SES reviews an account at 0.1% complaints or 5% bounces. */
export const HEALTH_LIMITS = {
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

export function healthNote({
  state,
  pauseReason,
  progress,
  results,
}: Pick<Message, "state" | "pauseReason" | "progress" | "results">) {
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
