import { healthNote } from "#core/mail/health.ts";
import type { AudienceSplit } from "#core/messages/audience.ts";
import { describeReason, type readDeliveryReasons } from "#core/messages/delivery-reasons.ts";
import type { Message } from "#core/messages/messages.ts";
import { toAudienceFields } from "./audience-fields.ts";

export function toRow({ body: _, audience: __, preparedAt, ...message }: Message) {
  return { ...message, isPrepared: preparedAt !== null, note: healthNote(message) };
}

export function toMessage(message: Message) {
  return { ...toRow(message), body: message.body, audience: toAudienceFields(message.audience) };
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
