import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { parseCount } from "#cli/terminal/options.ts";
import { formatKeyValueList, formatTable } from "#cli/terminal/table.ts";
import { healthNote } from "#core/mail/queue/health.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { listMessages, type Message, readDeliveryReasons } from "#core/messages/messages.ts";
import { EVERYONE } from "#core/people/filter-fields.ts";
import { formatDate, formatDateTime, formatNumber } from "#core/text/format.ts";
import { parseMessageId, withMessage } from "./message-options.ts";
import { formatPace, formatReasons, formatSplit } from "./message-texts.ts";

export function addMessageStatus(message: Command): void {
  message
    .subcommand("status", "List messages, or show the progress of one")
    .argument("[id]", "Message ID (default: list the newest messages)", parseMessageId)
    .option("--limit <count>", "List at most this many messages", parseCount, 20)
    .examples("", "12", "12 --json")
    .action((id: string | undefined, ...rest: unknown[]) =>
      id === undefined ? listAll(...rest) : showOne(id, ...rest),
    );
}

const listAll = withMigratedDatabase(async (db, { limit }: { limit: number }) => {
  const messages = await listMessages(db, limit);
  const text = formatTable(
    messages.map(({ id, createdAt, kind, subject, state, progress }) => ({
      ID: id,
      Created: formatDate(createdAt),
      Kind: kind,
      Subject: subject,
      State: state,
      Sent: formatNumber(progress.sent),
      Pending: formatNumber(progress.pending),
      Failed: formatNumber(progress.failed),
    })),
  );
  return { text: messages.length ? text : "There are no messages yet.", json: messages };
});

const showOne = withMessage(async (db, message) => {
  const { progress } = message;
  const split = message.state === "draft" && !message.preparedAt ? await splitAudience(db, message) : undefined;
  const reasons = progress.skipped + progress.failed > 0 ? await readDeliveryReasons(db, message.id) : [];
  const why = (state: "skipped" | "failed") =>
    formatReasons(
      progress[state],
      reasons.filter((each) => each.state === state),
    );
  const progressList = formatKeyValueList({
    Sent: formatNumber(progress.sent),
    [message.state === "canceled" ? "Not sent" : "Pending"]: formatNumber(progress.pending),
    Skipped: why("skipped"),
    Bounced: formatNumber(progress.bounced),
    Complained: formatNumber(progress.complained),
    Unsubscribed: formatNumber(message.results.unsubscribed),
    "Soft bounces": formatNumber(message.results.softBounced),
    Failed: `${why("failed")}${progress.failed ? " (to retry: npx waitlist mail retry)" : ""}`,
  });
  const progressText = [healthNote(message), progressList].filter(Boolean).join("\n\n");
  const text = `${formatSummary(message)}\n\n${split ? formatSplit(split) : progressText}`;
  return { text, json: { ...message, reasons, ...(split && { split }) } };
});

function formatSummary({ id, kind, subject, state, audience, pace, waveId, ...times }: Message): string {
  return formatKeyValueList({
    Message: id,
    Subject: subject,
    Kind: kind,
    State: state,
    Audience: formatAudience(audience) || EVERYONE[kind],
    Pace: formatPace(pace),
    Created: formatDateTime(times.createdAt),
    [state === "scheduled" ? "Starts" : "Started"]: formatDateTime(times.startedAt),
    Finished: formatDateTime(times.finishedAt),
    ...(waveId && { Wave: waveId }),
  });
}

function formatAudience(audience: Message["audience"]): string {
  const flags = Object.entries(audience).map(([name, value]) => {
    if (typeof value === "boolean") return `--${value ? "" : "no-"}${name}`;
    return `--${name} ${value instanceof Date ? value.toISOString() : value}`;
  });
  return flags.join(" ");
}
