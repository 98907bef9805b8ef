import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Action, Described } from "./activity-text.ts";

/** The operator who makes a change. Null where members change their own entry. */
export interface Actor {
  name: string;
  via: "console" | "command line";
}

/** Names people only by id, because an entry outlives their personal data. */
export interface NewActivity {
  action: Action;
  /** Several people get an entry each. */
  person?: string | string[] | undefined;
  message?: string | undefined;
  /** The text of a question. */
  question?: string | undefined;
  wave?: string | null | undefined;
  webhook?: string | undefined;
  /** How many people, entries or emails the action affected. */
  count?: number | undefined;
  /** The operator, or domain of operators, whose role or session was changed. */
  operator?: string | undefined;
  /** The id that recordActivity returned for the previous transaction of the same change. */
  continues?: string | undefined;
}

/**
 * Pass the transaction that makes the change, so that change and entry commit together. A count of 0 isn't recorded.
 * Stores the message's current subject, which names no recipient, because placeholders are filled in only for sending.
 */
export async function recordActivity(
  db: Kysely<Tables>,
  { name, via }: Actor,
  { action, person, message, question, wave, webhook, count, operator, continues }: NewActivity,
): Promise<string | undefined> {
  if (count === 0) return continues;
  const { rows } = await sql<{ id: string }>`
    insert into activity
      (actor, via, action, person_id, message_id, subject, wave_id, webhook_id, count, operator, continues)
    select ${name}, ${via}, ${action}, person, ${message}::bigint,
      coalesce(${question}, (select subject from messages where id = ${message}::bigint)),
      ${wave}::bigint, ${webhook}::bigint, ${count}::integer, ${operator}, ${continues}::bigint
    from unnest(${[person].flat()}::bigint[]) as person
    returning id`.execute(db);
  return continues ?? rows[0]?.id;
}

export interface Activity extends Described {
  id: string;
  at: Date;
  actor: string;
  via: Actor["via"];
}

export interface ActivityQuery {
  before?: string | undefined;
  limit: number;
  /** Only actions on this one person, not on groups. */
  person?: string | undefined;
  /** Only this operator's actions. */
  by?: string | undefined;
  /** Only actions on this day, in UTC. */
  on?: Date | undefined;
}

/** Newest first. Keyset pagination, so that every page costs the same. `next` is where the next page starts. */
export async function readActivity(db: Database, { before, limit, person, by, on }: ActivityQuery) {
  // For a person, includes parts of larger changes; otherwise, each change is one entry.
  const conditions: RawBuilder<boolean>[] = [person ? sql`person_id = ${person}` : sql`continues is null`];
  if (before) conditions.push(sql`activity.id < ${before}`);
  if (by) conditions.push(sql`actor = ${by}`);
  if (on) conditions.push(sql`at >= ${on} and at < ${on}::timestamptz + interval '24 hours'`);
  const { rows } = await sql<Activity>`
    select activity.id, at, actor, via, action, person_id as "personId", email, message_id as "messageId",
      subject,
      activity.wave_id as "waveId", "takenBack", webhook_id as "webhookId", operator,
      count + coalesce((select sum(count) from activity as part where part.continues = activity.id), 0)::integer as count
    from activity left join sign_ups on sign_ups.id = person_id
    left join (
      select wave_id, sum(count)::integer as "takenBack" from activity
      where action = 'uninvite' and wave_id is not null group by 1
    ) as uninvited on uninvited.wave_id = activity.wave_id and action = 'invite'
    where ${sql.join(conditions, sql` and `)}
    order by activity.id desc limit ${limit + 1}`.execute(db);
  const entries = rows.slice(0, limit);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** Every operator with an entry. */
export async function readActors(db: Database): Promise<string[]> {
  const { rows } = await sql<{ actor: string }>`select distinct actor from activity order by actor`.execute(db);
  return rows.map(({ actor }) => actor);
}
