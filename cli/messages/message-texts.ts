import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import { formatKeyValueList } from "#cli/terminal/table.ts";
import { describeReason } from "#core/mail/delivery-reasons.ts";
import type { AudienceSplit } from "#core/messages/audience.ts";
import type { Pace } from "#core/messages/messages.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";

/** "20: 15 not subscribed, 5 address not confirmed" */
export function formatReasons(total: number, reasons: { reason: string | null; people: number }[]): string {
  if (reasons.length === 0) return formatNumber(total);
  const parts = reasons.map(({ reason, people }) => `${formatNumber(people)} ${describeReason(reason)}`);
  return `${formatNumber(total)}: ${parts.join(", ")}`;
}

export function formatSplit({ matching, recipients, refused }: AudienceSplit): string {
  const rows = Object.entries(refused).map(([reason, people]) => [`  ${describeReason(reason)}`, formatNumber(people)]);
  return formatKeyValueList({
    "Match the filters": formatNumber(matching),
    "Get the email": formatNumber(recipients),
    "Don't get it": formatNumber(matching - recipients),
    ...Object.fromEntries(rows),
  });
}

export function formatPace(pace: Pace | null): string {
  return pace ? `at most ${pluralize(pace.count, "email")} per ${pace.unit}` : "as fast as MAIL_PER_MINUTE allows";
}

export const quote = (subject: string) => `“${escapeInvisible(subject)}”`;

export function howToFollow(id: string): string {
  return `The mail workers send it while they are running. To follow it:
  npx waitlist message status ${id}
To pause it:
  npx waitlist message pause ${id}`;
}
