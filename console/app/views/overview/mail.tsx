import { Ago } from "#console/app/ui/ago.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import type { MailStatus } from "#console/contract/overview.ts";
import { formatNumber, formatPercent, formatShortDateTime, pluralize } from "#core/format.ts";

const MAX_WAIT_MS = 10 * 60_000;

const FAILURES: Record<NonNullable<MailStatus["lastFailure"]>["reason"], string> = {
  refused: "Refused by the mail server",
  invalid: "The message isn't valid",
  expired: "Failed for two days",
};

export function Mail({ mail, now }: { mail: MailStatus; now: Date }) {
  const waitedMs = mail.waitingSince ? now.getTime() - Date.parse(mail.waitingSince) : 0;
  const state = stateOf(mail, waitedMs);
  const { bounced, complained, unsubscribed } = mail.lastMonth;
  const values = {
    Waiting: formatNumber(mail.waiting),
    Oldest: mail.waitingSince ? <Ago at={mail.waitingSince} /> : "–",
    Rate: `${formatNumber(mail.perMinute)} per minute`,
    "Last sent": mail.lastSentAt ? <Ago at={mail.lastSentAt} /> : "Never",
    "Bounced, 30 days": `${formatNumber(bounced)} (${formatPercent(mail.rates.bounces)})`,
    "Complained, 30 days": `${formatNumber(complained)} (${formatPercent(mail.rates.complaints)})`,
    "Unsubscribed, 30 days": formatNumber(unsubscribed),
    "Given up": formatNumber(mail.dead),
    "Last error": mail.lastFailure ? FAILURES[mail.lastFailure.reason] : "None",
    ...(mail.lastFailure && { When: <Ago at={mail.lastFailure.at} /> }),
    ...(mail.heldUntil && { "On hold until": formatShortDateTime(new Date(mail.heldUntil)) }),
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
