import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { InvitationConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { sampleInviteUrl } from "#core/links/invitation-tokens.ts";
import { REMINDER } from "#core/mail/recipients.ts";
import { type Invalid, invalid } from "#core/mail/rendering/placeholders.ts";
import { checkMessage, type MessageText, textOf } from "#core/mail/rendering/render.ts";
import { FILTERS, impossibleFilters } from "#core/people/filter-fields.ts";
import { type Audience, parseAudience } from "./audience.ts";
import { illegal, lockMessage, type MessageState, NEWER, type Refusal } from "./message-lock.ts";

interface Pace {
  count: number;
  unit: "hour" | "day";
}

export interface Draft extends MessageText {
  audience: Audience;
  /** Null means as fast as MAIL_PER_MINUTE allows. */
  pace: Pace | null;
  /** Only for the reminder: how many days after someone joined. */
  delay?: number | null;
}

export interface Message extends Draft {
  id: string;
  delay: number | null;
  version: number;
  state: MessageState;
  waveId: string | null;
  createdAt: Date;
  preparedAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** The number of people in each state, including people who have left since. */
  progress: Record<"pending" | "sent" | "bounced" | "complained" | "skipped" | "failed", number>;
  /** `reminded` counts people who confirmed after their reminder. */
  results: Record<"gmail" | "softBounced" | "unsubscribed" | "reminded", number>;
  pauseReason: "bounces" | "complaints" | null;
}

export async function createMessage(db: Database, actor: Actor, draft: Draft, invitations?: InvitationConfig) {
  const problem = checkDraft(draft, invitations);
  if (problem) return problem;
  const { kind, subject, body, audience, pace } = draft;
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      insert into messages (kind, subject, body, audience, pace, pace_unit)
      values (${kind}, ${subject}, ${body}, ${JSON.stringify(audience)}, ${pace?.count ?? null}, ${pace?.unit ?? null})
      returning id`.execute(transaction);
    const { id } = onlyRow({ rows });
    await recordActivity(transaction, actor, { action: "create message", message: id });
    return (await readMessage(transaction, id)) as Message;
  });
}

/**
 * Edits a draft, or a built-in message. Refuses if someone has edited it since it was read. A draft's audience can't
 * change once preparation has started.
 */
export async function editMessage(
  db: Database,
  actor: Actor,
  message: Message,
  changes: Partial<Omit<Draft, "kind">>,
  invitations?: InvitationConfig,
): Promise<Message | Refusal> {
  const { id, kind, state, version } = message;
  const isBuiltIn = kind === "confirmation" || kind === "reminder";
  if (state !== "draft" && !isBuiltIn) return illegal("edit", id, state);
  const edited = { ...message, ...changes };
  const problem = checkDraft(edited, invitations);
  if (problem) return problem;
  return db.transaction().execute(async (transaction) => {
    const stored = await lockMessage(transaction, id, [kind]);
    const isDraft = stored?.state === "draft" || stored?.state === "not prepared";
    if ((!isDraft && !isBuiltIn) || (changes.audience && stored?.preparing_since))
      return illegal("edit", id, changes.audience ? "prepared" : stored?.state);
    if (stored?.version !== version) return illegal("edit", id, NEWER);
    await sql`
      update messages set
        subject = ${edited.subject}, body = ${edited.body}, audience = ${JSON.stringify(edited.audience)},
        pace = ${edited.pace?.count ?? null}, pace_unit = ${edited.pace?.unit ?? null},
        after_days = ${edited.delay}, version = version + 1
      where id = ${id}`.execute(transaction);
    await recordActivity(transaction, actor, { action: "edit message", message: id });
    return (await readMessage(transaction, id)) as Message;
  });
}

/** Only people who joined in the last 30 days get the reminder; this leaves five days to send it. */
const MAX_DELAY = 25;

/** Why the draft can't be sent; undefined if it can. */
export function checkDraft(draft: Draft, invitations: InvitationConfig | undefined): Invalid | undefined {
  const problem = checkMessage(draft, sampleInviteUrl(invitations));
  if (problem) return problem;
  const { audience, pace, kind, delay = null } = draft;
  for (const count of [pace?.count, audience.next]) {
    if (count !== undefined && !(Number.isInteger(count) && count > 0 && count < 2 ** 31))
      return invalid("Use a whole number, 1 or higher.");
  }
  if (audience.next !== undefined && kind !== "invitation")
    return invalid("Only an invitation can be limited to a number of people.");
  const hasDelay = delay !== null && Number.isInteger(delay) && delay > 0 && delay <= MAX_DELAY;
  if (kind === "reminder" ? !hasDelay : delay !== null)
    return invalid(`The reminder is sent 1 to ${MAX_DELAY} days after someone joined. No other message has a delay.`);
  const [impossible] = impossibleFilters(kind, audience);
  return impossible && invalid(`Nobody would get this ${kind}. Remove the filter “${FILTERS[impossible].label}”.`);
}

interface MessageRow extends Omit<Message, "audience" | "progress"> {
  audience: Record<string, unknown>;
  progress: Partial<Message["progress"]> | null;
}

/** Undefined for the email with the member link, because its text is in the code. */
export async function readMessage(db: Kysely<Tables>, id: string): Promise<Message | undefined> {
  return (await readMessages(db, sql<boolean>`id = ${id} and kind <> 'link'`, 1))[0];
}

export async function listMessages(db: Database, limit: number): Promise<Message[]> {
  return readMessages(db, sql<boolean>`kind in ('invitation', 'announcement')`, limit);
}

async function readMessages(db: Kysely<Tables>, condition: ReturnType<typeof sql<boolean>>, limit: number) {
  const { rows } = await sql<MessageRow>`
    select id, kind, subject, body, audience, version,
      case when pace is not null then json_build_object('count', pace, 'unit', pace_unit) end as pace,
      case when state = 'sending' and started_at > now() then 'scheduled' else state end as state, wave_id as "waveId",
      created_at as "createdAt", prepared_at as "preparedAt", started_at as "startedAt", finished_at as "finishedAt",
      pause_reason as "pauseReason", after_days as delay,
      (
        select json_object_agg(counted.state, counted.people)
        from (
          select state, sum(deliveries) as people from delivery_counts where message_id = messages.id group by state
        ) as counted
      ) as progress,
      (
        select json_build_object('gmail', coalesce(sum(gmail), 0), 'softBounced', coalesce(sum(soft_bounced), 0),
          'unsubscribed', coalesce(sum(unsubscribed), 0), 'reminded', case when kind = 'reminder' then (
            select count(*) from deliveries join sign_ups on sign_ups.id = sign_up_id
            where message_id = ${REMINDER} and sent_at < confirmed_at
          ) else 0 end)
        from delivery_counts where message_id = messages.id
      ) as results
    from messages where ${condition} order by id desc limit ${limit}`.execute(db);
  return rows.map(
    ({ audience, progress, ...row }): Message => ({
      ...row,
      ...textOf(row),
      audience: parseAudience(audience),
      progress: { pending: 0, sent: 0, bounced: 0, complained: 0, skipped: 0, failed: 0, ...progress },
    }),
  );
}

/** Why people didn't get a message, most frequent reason first. Reads all deliveries, so it takes about a second. */
export async function readDeliveryReasons(db: Database, messageId: string) {
  const { rows } = await sql<{ state: "skipped" | "failed"; reason: string | null; people: number }>`
    select state, reason, count(*)::integer as people from deliveries
    where message_id = ${messageId} and state in ('skipped', 'failed')
    group by 1, 2 order by 3 desc, 1, 2`.execute(db);
  return rows;
}
