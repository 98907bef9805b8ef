import type { MessageKind, MessageRow, MessageState, Pace } from "#console/contract/messages.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";

export const STATES: Record<MessageState, { name: string; tone: string }> = {
  draft: { name: "Draft", tone: "quiet" },
  scheduled: { name: "Scheduled", tone: "accent" },
  sending: { name: "Sending", tone: "accent" },
  paused: { name: "Paused", tone: "quiet" },
  done: { name: "Sent", tone: "good" },
  canceled: { name: "Canceled", tone: "bad" },
};

export const KINDS: Record<MessageKind, string> = {
  confirmation: "Confirmation",
  reminder: "Reminder",
  invitation: "Invitation",
  announcement: "Announcement",
};

export function countPeople({ progress }: Pick<MessageRow, "progress">): number {
  return Object.values(progress).reduce((sum, people) => sum + people, 0);
}

export function paceText(pace: Pace | null): string {
  return pace ? `At most ${formatNumber(pace.count)} per ${pace.unit}` : "As fast as possible";
}

const UNIT_HOURS = { hour: 1, day: 24 };

/** "about 3 days", at the slower of the message's pace and the limit for all messages. Undefined if mail is off. */
export function durationText(people: number, pace: Pace | null, perMinute: number | null): string | undefined {
  if (!perMinute || people === 0) return undefined;
  const hours = Math.max(people / perMinute / 60, pace ? (people / pace.count) * UNIT_HOURS[pace.unit] : 0);
  if (hours < 1) return `about ${pluralize(Math.ceil(hours * 60), "minute")}`;
  return hours < 48
    ? `about ${pluralize(Math.round(hours), "hour")}`
    : `about ${pluralize(Math.round(hours / 24), "day")}`;
}
