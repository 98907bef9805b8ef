import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import type { MailStatus } from "#console/contract/overview.ts";
import { formatNumber, formatShortDateTime, pluralize } from "#core/format.ts";

const MINUTE_MS = 60_000;
const MAX_WAIT_MS = 10 * MINUTE_MS;

const FAILURES: Record<NonNullable<MailStatus["lastFailure"]>["reason"], string> = {
  refused: "Refused by the mail server",
  invalid: "The message isn't valid",
  expired: "Failed for two days",
};

export function Mail({ mail, now }: { mail: MailStatus; now: Date }) {
  const waitedMs = mail.waitingSince ? now.getTime() - Date.parse(mail.waitingSince) : 0;
  const state = stateOf(mail, waitedMs);
  const values = {
    Waiting: formatNumber(mail.waiting),
    Oldest: mail.waitingSince ? formatAge(waitedMs) : "–",
    Rate: `${formatNumber(mail.perMinute)} per minute`,
    "Last sent": formatTime(mail.lastSentAt),
    "Given up": formatNumber(mail.dead),
    "Last error": mail.lastFailure
      ? `${FAILURES[mail.lastFailure.reason]}, ${formatTime(mail.lastFailure.at)}`
      : "None",
    ...(mail.heldUntil && { "On hold until": formatTime(mail.heldUntil) }),
  };
  return (
    <section className="card mail-health">
      <header>
        <h2>Mail</h2>
        <p className={`status ${state.tone}`}>{state.name}</p>
      </header>
      <KeyValueList values={values} />
    </section>
  );
}

function stateOf({ dead, heldUntil, lastSentAt, waiting }: MailStatus, waitedMs: number) {
  if (heldUntil) return { name: "On hold", tone: "quiet" };
  if (waitedMs > MAX_WAIT_MS) return { name: "Late", tone: "bad" };
  if (dead > 0) return { name: `Gave up on ${pluralize(dead, "email")}`, tone: "bad" };
  if (!lastSentAt && waiting === 0) return { name: "Nothing sent yet", tone: "quiet" };
  return { name: "On time", tone: "good" };
}

function formatAge(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return "Less than a minute";
  if (minutes < 120) return pluralize(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? pluralize(hours, "hour") : pluralize(Math.floor(hours / 24), "day");
}

function formatTime(iso: string | null): string {
  return iso ? formatShortDateTime(new Date(iso)) : "Never";
}
