import { type Kysely, type RawBuilder, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import { changeMany, MAX_CHUNK_SIZE } from "#core/activity/change-many.ts";
import { lockPeople } from "#core/activity/people-pages.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { type Chunk, onePerson } from "#core/database/transaction.ts";
import { isRecipient } from "#core/mail/recipients.ts";
import type { MessageText } from "#core/mail/rendering/render.ts";
import type { MailOn } from "#core/mail/switch.ts";
import { type Filter, matches } from "#core/people/filter.ts";
import { isIn, isListed } from "#core/people/states.ts";

export interface NewWave {
  id: string;
  /** Everyone in the wave has the same invitation time. */
  invitedAt: Date;
}

/** Behind this person in line or, if `lineAt` is null, behind this id. */
interface Cursor {
  id: string;
  lineAt: string | null;
}

const LINE_START: Cursor = { id: "0", lineAt: "-infinity" };
/** Where people start who aren't in line. */
const OTHERS_START: Cursor = { id: "0", lineAt: null };

interface Filling {
  wave: string;
  filter: Filter;
  limit: number;
  /** If set, everyone invited is emailed. */
  mailing?: {
    message: string;
    /** Locks the message before each chunk. Returns how many people were added, or the limit to end the wave. */
    lock: (transaction: Kysely<Tables>) => Promise<number>;
  };
}

/**
 * Invites the next people who match: first those in line, then others in the order they joined. A wave that sends mail
 * invites only people in line, because nobody else can get mail. Concurrent waves never share a person. An interrupted
 * wave is just smaller.
 */
export async function fillWave(
  db: Database,
  actor: Actor,
  { wave, filter, limit, mailing }: Filling,
  onInvited: (people: number) => void = () => {},
): Promise<number> {
  const message = mailing?.message;
  const condition = message ? sql<boolean>`${matches(filter)} and ${isNewRecipient(message)}` : matches(filter);
  let [invited, isFull] = [0, false];
  async function* nextPages() {
    for (const start of mailing ? [LINE_START] : [LINE_START, OTHERS_START]) {
      for (let after: Cursor | undefined = start; after && !isFull; ) {
        const people: Cursor[] = await nextPeople(db, condition, Math.min(MAX_CHUNK_SIZE, limit), after);
        after = people.at(-1);
        yield people.map(({ id }) => id);
      }
    }
  }
  const change = async (chunk: Chunk, page: string[]) => {
    const left = limit - (mailing ? await mailing.lock(chunk) : invited);
    // Another wave may have invited them since.
    const free = await lockPeople(chunk, page, sql`${isIn("invited", false)} and ${condition}`);
    const ids = free.slice(0, left);
    await invite(chunk, wave, ids, message);
    return { count: ids.length, isFull: ids.length === left };
  };
  return changeMany(db, { actor, action: "invite", wave, message }, nextPages(), change, (done) => {
    invited += done.count;
    isFull = done.isFull;
    onInvited(done.count);
  });
}

/** Invites people without emailing them. */
export async function inviteNext(
  db: Database,
  actor: Actor,
  filter: Filter,
  limit: number,
  onInvited?: (people: number) => void,
): Promise<NewWave & { invited: number }> {
  const wave = await createWave(db);
  return { ...wave, invited: await fillWave(db, actor, { wave: wave.id, filter, limit }, onInvited) };
}

/** Excludes the message's audience, even if since uninvited. NOT EXISTS could become a join that scans the audience. */
const isNewRecipient = (message: string) => sql`
  ${isRecipient("invitation")}
  and not coalesce((select true from deliveries where message_id = ${message} and sign_up_id = sign_ups.id), false)`;

type InvitationEmail = Pick<MessageText, "subject" | "body"> & { mail: MailOn };

/**
 * Creates a wave for one person, and sends them the email if they can get it. Undefined if they are invited already, or
 * not on the list.
 */
export function invitePerson(db: Database, actor: Actor, id: string, email?: InvitationEmail) {
  return db.transaction().execute(async (transaction) => {
    // Locks the person first, because the wave would stay empty if they left in between.
    const { rows } = await sql<{ isRecipient: boolean }>`
      select ${isRecipient("invitation")} as "isRecipient" from sign_ups
      where id = ${id} and ${isListed} and ${isIn("invited", false)} for update`.execute(transaction);
    const [person] = rows;
    if (!person) return undefined;
    const wave = await createWave(transaction);
    const sent = await sql<{ id: string }>`
      insert into messages (kind, subject, body, audience, state, wave_id, preparing_since, prepared_at, started_at)
      select 'invitation', ${email?.subject}, ${email?.body}, ${JSON.stringify({ wave: wave.id })}, 'sending',
        ${wave.id}, now(), now(), now()
      where ${email !== undefined && person.isRecipient} returning id`.execute(transaction);
    const message = sent.rows[0]?.id;
    await invite(onePerson(transaction), wave.id, [id], message);
    await recordActivity(transaction, actor, { action: "invite", person: id, wave: wave.id, message });
    return wave;
  });
}

export async function createWave(db: Kysely<Tables>): Promise<NewWave> {
  // Rounded to milliseconds, which a person can copy and a JavaScript Date can hold.
  const { rows } = await sql<NewWave>`
    insert into waves (invited_at) values (date_trunc('milliseconds', clock_timestamp()))
    returning id, invited_at as "invitedAt"`.execute(db);
  return rows[0] as NewWave;
}

/** Locks nobody, for `changeMany`. */
async function nextPeople(
  db: Kysely<Tables>,
  condition: RawBuilder<boolean>,
  limit: number,
  { id, lineAt }: Cursor,
): Promise<Cursor[]> {
  const [isNext, order] = lineAt
    ? [sql`${isIn("waiting")} and (line_at, id) > (${lineAt}::timestamptz, ${id}::bigint)`, sql`line_at, id`]
    : [sql`${isIn("waiting", false)} and ${isIn("invited", false)} and id > ${id}`, sql`id`];
  const { rows } = await sql<Cursor>`
    select id, line_at::text as "lineAt" from sign_ups
    where ${isNext} and ${condition} order by ${order} limit ${limit}`.execute(db);
  return rows;
}

/** Invites these people and, with a message, emails them. */
async function invite(chunk: Chunk, wave: string, ids: string[], message?: string): Promise<void> {
  await sql`
    update sign_ups set invited_at = waves.invited_at, wave_id = waves.id from waves
    where waves.id = ${wave} and sign_ups.id = any(${ids}::bigint[])`.execute(chunk);
  if (message === undefined) return;
  await sql`
    insert into deliveries (message_id, sign_up_id)
    select ${message}, invited from unnest(${ids}::bigint[]) as invited`.execute(chunk);
}
