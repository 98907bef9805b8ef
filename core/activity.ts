import { CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";

/** Who makes a change. */
export interface Actor {
  name: string;
  via: "console" | "command line";
}

/** What operators do. Changes that people make on their own page aren't recorded. */
type Action =
  | "edit"
  | "unsubscribe"
  | "create link"
  | "send link"
  | "invite"
  | "uninvite"
  | "erase"
  | "release"
  | "drop"
  | "export"
  | "import suppressions"
  | "export suppressions"
  | "purge"
  | "apply erasures"
  | "create message"
  | "edit message"
  | "send message"
  | "pause message"
  | "resume message"
  | "cancel message"
  | "test message"
  | "retry mail";

/** What an entry is about, by id: it outlives the person, so it has neither their address nor their name. */
export interface NewActivity {
  action: Action;
  person?: string | undefined;
  message?: string | undefined;
  wave?: string | null | undefined;
  /** Of people, or of what the action is about. */
  count?: number | undefined;
}

/** Pass the transaction that makes the change, so that neither exists without the other. */
export async function recordActivity(db: Kysely<Tables>, actor: Actor, entry: NewActivity): Promise<void> {
  const { text, values } = activityStatement(actor, entry);
  await db.executeQuery(CompiledQuery.raw(text, values));
}

function activityStatement({ name, via }: Actor, { action, person, message, wave, count }: NewActivity) {
  return {
    text: `
      insert into activity (actor, via, action, person_id, message_id, wave_id, count)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [name, via, action, person ?? null, message ?? null, wave ?? null, count ?? null],
  };
}

interface Activity {
  id: string;
  at: Date;
  actor: string;
  via: Actor["via"];
  action: Action;
  personId: string | null;
  /** Null once the person has been erased. */
  email: string | null;
  messageId: string | null;
  waveId: string | null;
  count: number | null;
}

export interface ActivityPage {
  entries: Activity[];
  /** Where the next page starts; null on the last one. */
  next: string | null;
}

interface ActivityQuery {
  before?: string | undefined;
  limit: number;
  /** Only what was done to this person alone. */
  person?: string | undefined;
}

/** Newest first. By id rather than by offset, so that a page costs the same anywhere. */
export async function readActivity(db: Database, { before, limit, person }: ActivityQuery): Promise<ActivityPage> {
  const conditions: RawBuilder<boolean>[] = [sql`true`];
  if (before) conditions.push(sql`activity.id < ${before}`);
  if (person) conditions.push(sql`person_id = ${person}`);
  const { rows } = await sql<Activity>`
    select activity.id, at, actor, via, action, person_id as "personId", email, message_id as "messageId",
      activity.wave_id as "waveId", count
    from activity left join sign_ups on sign_ups.id = person_id
    where ${sql.join(conditions, sql` and `)}
    order by activity.id desc limit ${limit + 1}`.execute(db);
  const entries = rows.slice(0, limit);
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
