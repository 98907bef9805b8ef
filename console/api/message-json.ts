import type { Message, MessageRow, Reason, Split } from "#console/contract/messages.ts";
import type { AudienceSplit } from "#core/mail/audience.ts";
import { describeReason } from "#core/mail/delivery-reasons.ts";
import type { Message as StoredMessage } from "#core/mail/messages.ts";
import { toAudienceFields } from "./audience-fields.ts";

export function toRow({ createdAt, startedAt, finishedAt, preparedAt, ...message }: StoredMessage): MessageRow {
  const { id, kind, subject, state, pace, waveId, progress } = message;
  return {
    id,
    kind,
    subject,
    state,
    pace,
    waveId,
    progress,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    isPrepared: preparedAt !== null,
  };
}

export function toMessage(message: StoredMessage): Message {
  return { ...toRow(message), body: message.body, audience: toAudienceFields(message.audience) };
}

export function toSplit({ matching, recipients, refused }: AudienceSplit, added = 0): Split {
  const reasons = Object.entries(refused).map(
    ([reason, people]): Reason => ({ reason: describeReason(reason), people }),
  );
  return { matching: matching + added, recipients: recipients + added, refused: reasons, added };
}
