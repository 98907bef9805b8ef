import { describeReason } from "#core/mail/delivery-reasons.ts";
import { healthNote } from "#core/mail/queue/health.ts";
import type { Audience, AudienceSplit } from "#core/messages/audience.ts";
import type { Message, readDeliveryReasons } from "#core/messages/messages.ts";

export function toRow({ body: _, audience: __, preparedAt, ...message }: Message) {
  return { ...message, isPrepared: preparedAt !== null, note: healthNote(message) };
}

export function toMessage(message: Message) {
  const audience = Object.fromEntries(Object.entries(message.audience).map(([name, value]) => [name, toField(value)]));
  return { ...toRow(message), body: message.body, audience };
}

/** `added` recipients are already in the audience, because an earlier start was interrupted. */
export function toSplit({ matching, recipients, refused }: AudienceSplit, added = 0) {
  const reasons = Object.entries(refused).map(([reason, people]) => ({ reason: describeReason(reason), people }));
  return { matching: matching + added, recipients: recipients + added, refused: reasons };
}

export function toReasons(reasons: Awaited<ReturnType<typeof readDeliveryReasons>>) {
  const those = (state: "skipped" | "failed") =>
    reasons
      .filter((each) => each.state === state)
      .map(({ reason, people }) => ({ reason: describeReason(reason), people }));
  return { skipped: those("skipped"), failed: those("failed") };
}

/** As in a view's URL: "yes" or "no", dates like 2026-11-30, `next` as digits. */
function toField(value: Audience[keyof Audience]): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value instanceof Date ? value.toISOString().replace("T00:00:00.000Z", "") : String(value);
}
