import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { retryTransient } from "#core/database/transaction.ts";
import { addToWave, createWave, LINE_START, WAVE_CHUNK_SIZE } from "#core/invitations/waves.ts";
import { isRecipient, refusal } from "#core/mail/recipients.ts";
import type { MessageText } from "#core/mail/rendering/render.ts";
import { type Filter, matches } from "#core/people/filter.ts";
import { FILTERS, type FilterName } from "#core/people/filter-fields.ts";
import { IllegalTransition, requireVersion } from "./message-states.ts";

/** The people that a message is for. */
export interface Audience extends Filter {
  /** Only for invitations: how many people, next in line. */
  next?: number;
}

type Addressed = Pick<MessageText, "kind"> & { audience: Audience };

/** Parses the stored JSON, where dates are strings. */
export function parseAudience(stored: Record<string, unknown>): Audience {
  const parse = ([name, value]: [string, unknown]) => [name, isDate(name) ? new Date(String(value)) : value];
  return Object.fromEntries(Object.entries(stored).map(parse));
}

function isDate(name: string): boolean {
  return name in FILTERS && FILTERS[name as FilterName].type === "date";
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
  const isInvited = sql`case when ${kind} = 'invitation' and ${matches({ invited: true })} then 'invited' end`;
  const { rows } = await sql<{ reason: string | null; people: number }>`
    select coalesce(${refusal(sql`${kind}::text`)}, ${isInvited}) as reason, count(*)::integer as people
    from sign_ups where ${matches(filter)} group by 1`.execute(db);
  const matching = rows.reduce((sum, { people }) => sum + people, 0);
  const allowed = rows.find(({ reason }) => reason === null)?.people ?? 0;
  const refused = Object.fromEntries(rows.flatMap(({ reason, people }) => (reason ? [[reason, people]] : [])));
  const recipients = Math.min(allowed, next);
  return { matching, recipients, refused: allowed > next ? { ...refused, "over the limit": allowed - next } : refused };
}

/** A chunk takes a fraction of a second, and locks its slot's counts for that long. */
const CHUNK_SIZE = 10_000;

/**
 * Adds all recipients to the message's audience, in chunks, so that memory use stays constant. Invitations mark people
 * as invited in the same transaction. Safe to repeat after an interruption.
 */
export async function prepareMessage(
  db: Database,
  actor: Actor,
  id: string,
  onAdded: (people: number) => void = () => {},
  version?: number,
): Promise<void> {
  let entry: string | undefined;
  for (let after = LINE_START; ; ) {
    const chunk = await retryTransient(() =>
      db.transaction().execute((transaction) => addChunk(transaction, { actor, entry, version }, id, after)),
    );
    entry = chunk.entry;
    onAdded(chunk.added);
    if (chunk.last === null) return;
    after = chunk.last;
  }
}

type Cursor = typeof LINE_START;

interface Chunk {
  added: number;
  /** The last person checked; null when everyone was. */
  last: Cursor | null;
  /** The id of the activity entry. */
  entry?: string | undefined;
}

type By = Pick<Chunk, "entry"> & { actor: Actor; version: number | undefined };

async function addChunk(transaction: Kysely<Tables>, by: By, id: string, after: Cursor): Promise<Chunk> {
  const message = await lockDraft(transaction, id);
  requireVersion("start", message.version, by.version);
  const chunk =
    message.kind === "invitation"
      ? await inviteChunk(transaction, by, message, after)
      : await addPeople(transaction, message, after.id);
  if (chunk.last === null) {
    await sql`update messages set prepared_at = now() where id = ${id}`.execute(transaction);
  }
  return chunk;
}

type LockedDraft = Addressed & { id: string; version: number; waveId: string | null };

/** Locks the draft, so that two preparations of one message take turns. */
async function lockDraft(transaction: Kysely<Tables>, id: string): Promise<LockedDraft> {
  const { rows } = await sql<LockedDraft & { audience: Record<string, unknown>; state: string; isPrepared: boolean }>`
    update messages set preparing_since = coalesce(preparing_since, now())
    where id = ${id} and kind in ('invitation', 'announcement')
    returning id, kind, audience, version, wave_id as "waveId", state,
      prepared_at is not null as "isPrepared"`.execute(transaction);
  const [message] = rows;
  if (message?.state !== "draft" || message.isPrepared) {
    throw new IllegalTransition("prepare", message?.isPrepared ? "prepared" : message?.state);
  }
  return { ...message, audience: parseAudience(message.audience) };
}

async function addPeople(transaction: Kysely<Tables>, message: LockedDraft, after: string): Promise<Chunk> {
  const { next: _, ...filter } = message.audience;
  const { rows } = await sql<{ chosen: number; added: number; last: string | null }>`
    with chosen as (
      select id from sign_ups
      where id > ${after} and ${matches(filter)} and ${isRecipient(message.kind)}
      -- Locks people, because a delivery can't be added to someone who is being erased.
      order by id limit ${CHUNK_SIZE} for key share
    ), added as (
      insert into deliveries (message_id, sign_up_id) select ${message.id}, id from chosen
      on conflict (sign_up_id, message_id) do nothing
      returning sign_up_id
    )
    select count(*)::integer as chosen, (select count(*) from added)::integer as added, max(id) as last
    from chosen`.execute(transaction);
  const { chosen = 0, added = 0, last = null } = rows[0] ?? {};
  return { added, last: chosen < CHUNK_SIZE || last === null ? null : { id: last, lineAt: null } };
}

async function inviteChunk(
  transaction: Kysely<Tables>,
  { actor, entry: continues }: By,
  { id, kind, audience, waveId }: LockedDraft,
  after: Cursor,
): Promise<Chunk> {
  const { next = Number.MAX_SAFE_INTEGER, ...filter } = audience;
  const wave = waveId ?? (await createWave(transaction)).id;
  await sql`update messages set wave_id = ${wave} where id = ${id}`.execute(transaction);
  const limit = Math.min(WAVE_CHUNK_SIZE, next - (await countAdded(transaction, id)));
  // Skips people who were added and then uninvited. NOT EXISTS could become a join that reads the whole audience.
  const isAdded = sql`coalesce((select true from deliveries where message_id = ${id} and sign_up_id = sign_ups.id), false)`;
  const condition = sql<boolean>`${matches(filter)} and ${isRecipient(kind)} and not ${isAdded}`;
  const people = limit > 0 ? await addToWave(transaction, wave, condition, limit, after) : [];
  const ids = people.map((person) => person.id);
  await sql`
    insert into deliveries (message_id, sign_up_id)
    select ${id}, invited from unnest(${ids}::bigint[]) as invited`.execute(transaction);
  const part = { action: "invite", message: id, wave, count: ids.length, continues } as const;
  const entry = await recordActivity(transaction, actor, part);
  // At the end, start over once for people whose rows were locked.
  const isComplete = limit <= 0 || after === LINE_START;
  return { added: ids.length, last: people.at(-1) ?? (isComplete ? null : LINE_START), entry };
}

async function countAdded(transaction: Kysely<Tables>, id: string): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select coalesce(sum(deliveries), 0)::integer as people
    from delivery_counts where message_id = ${id}`.execute(transaction);
  return rows[0]?.people ?? 0;
}
