import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Actor } from "#core/activity/activity.ts";
import { changeMany } from "#core/activity/change-many.ts";
import { peoplePages } from "#core/activity/people-pages.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Chunk } from "#core/database/transaction.ts";
import { createWave, fillWave } from "#core/invitations/waves.ts";
import { isRecipient, refusalBefore } from "#core/mail/recipients.ts";
import type { MessageText } from "#core/mail/rendering/render.ts";
import { type Filter, matches } from "#core/people/filter.ts";
import { FILTERS, type FilterName } from "#core/people/filter-fields.ts";
import { illegal, lockMessage, NEWER } from "./message-lock.ts";

/** The people that a message is for. */
export interface Audience extends Filter {
  /** Only for invitations: how many people, next in line. */
  next?: number;
}

type Addressed = Pick<MessageText, "kind"> & { audience: Audience };

/** Parses the stored JSON, where dates are strings. */
export function parseAudience(stored: Record<string, unknown>): Audience {
  const isDate = (name: string) => name in FILTERS && FILTERS[name as FilterName].type === "date";
  const parse = ([name, value]: [string, unknown]) => [name, isDate(name) ? new Date(String(value)) : value];
  return Object.fromEntries(Object.entries(stored).map(parse));
}

export interface AudienceSplit {
  /** Everyone that the filters select. */
  matching: number;
  recipients: number;
  /** How many people get nothing, by reason. */
  refused: Record<string, number>;
}

/** Who would get the message and who wouldn't, before anything is sent. */
export async function splitAudience(db: Kysely<Tables>, { kind, audience }: Addressed): Promise<AudienceSplit> {
  const { next = Number.MAX_SAFE_INTEGER, ...filter } = audience;
  const { rows } = await sql<{ reason: string | null; people: number }>`
    select ${refusalBefore(sql`${kind}`)} as reason, count(*)::integer as people
    from sign_ups where ${matches(filter)} group by 1`.execute(db);
  const matching = rows.reduce((sum, { people }) => sum + people, 0);
  const allowed = rows.find(({ reason }) => reason === null)?.people ?? 0;
  const refused = Object.fromEntries(rows.flatMap(({ reason, people }) => (reason ? [[reason, people]] : [])));
  const recipients = Math.min(allowed, next);
  return { matching, recipients, refused: allowed > next ? { ...refused, "over the limit": allowed - next } : refused };
}

/**
 * Adds all recipients to the message's audience, in chunks, so that memory use stays constant. Invitations mark people
 * as invited in the same transaction. Safe to repeat after an interruption. Stops if the draft is edited or canceled.
 */
export async function prepareMessage(
  db: Database,
  actor: Actor,
  id: string,
  version?: number,
  onAdded: (people: number) => void = () => {},
) {
  const lock = (transaction: Kysely<Tables>) => lockDraft(transaction, id, version);
  const draft = await db.transaction().execute(lock);
  if ("refused" in draft) return draft;
  const { kind, audience, waveId } = draft;
  const { next: limit = Number.MAX_SAFE_INTEGER, ...filter } = audience;
  if (waveId) {
    const countAdded = (transaction: Kysely<Tables>) =>
      lock(transaction).then((locked) => ("refused" in locked ? limit : locked.added));
    await fillWave(db, actor, { wave: waveId, filter, limit, mailing: { message: id, lock: countAdded } }, onAdded);
  } else {
    const condition = sql<boolean>`${matches(filter)} and ${isRecipient(kind)}`;
    const add = async (chunk: Chunk, people: string[]) => {
      const locked = await lock(chunk);
      return { count: "refused" in locked ? 0 : await addPeople(chunk, id, people, condition) };
    };
    await changeMany(db, undefined, peoplePages(db, condition), add, ({ count }) => onAdded(count));
  }
  return db.transaction().execute(async (transaction) => {
    const locked = await lock(transaction);
    if ("refused" in locked) return locked;
    await sql`update messages set prepared_at = now() where id = ${id}`.execute(transaction);
    return undefined;
  });
}

/** Locks the draft, so that two preparations of one message take turns. Creates an invitation's wave. */
async function lockDraft(transaction: Kysely<Tables>, id: string, version: number | undefined) {
  const message = await lockMessage(transaction, id);
  if (message?.state !== "not prepared")
    return illegal("prepare", id, message?.prepared_at ? "prepared" : message?.state);
  if (version !== undefined && message.version !== version) return illegal("start", id, NEWER);
  const { rows } = await sql<Addressed & { waveId: string | null; audience: Record<string, unknown> }>`
    update messages set preparing_since = coalesce(preparing_since, now())
    where id = ${id} returning kind, audience, wave_id as "waveId"`.execute(transaction);
  const draft = onlyRow({ rows });
  if (draft.kind === "invitation" && !draft.waveId) {
    draft.waveId = (await createWave(transaction)).id;
    await sql`update messages set wave_id = ${draft.waveId} where id = ${id}`.execute(transaction);
  }
  // Counted after locking, or a preparation that waited for another would miss people whom the other added.
  const counted = await sql<{ added: number }>`
    select coalesce(sum(deliveries), 0)::integer as added
    from delivery_counts where message_id = ${id}`.execute(transaction);
  return { ...draft, audience: parseAudience(draft.audience), added: onlyRow(counted).added };
}

/** Returns how many people weren't in the audience yet. */
async function addPeople(chunk: Chunk, id: string, people: string[], condition: RawBuilder<boolean>) {
  const { numAffectedRows } = await sql`
    insert into deliveries (message_id, sign_up_id)
    select ${id}, id from (
      -- Locks people, because a delivery can't be added to someone who is being erased.
      select id from sign_ups where id = any(${people}::bigint[]) and ${condition} order by id for key share
    ) as recipients
    on conflict (sign_up_id, message_id) do nothing`.execute(chunk);
  return Number(numAffectedRows);
}
