import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { RETENTION } from "#brand/legal.ts";
import { type Actor, changeInParts, recordActivity, recordInParts } from "#core/activity/activity.ts";
import type { ErasureKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { retryTransaction } from "#core/database/transaction.ts";
import { subjectOf } from "#core/links/invitation-tokens.ts";
import { deleteMailboxes } from "#core/mail/queue/mailboxes.ts";
import type { Ranked } from "#core/overview/count.ts";
import { domainOf } from "#core/people/address.ts";
import { joinCompanies } from "#core/people/company-counts.ts";
import { type Filter, matches } from "#core/people/filter.ts";
import { countIn, isIn } from "#core/people/states.ts";
import { subtract } from "./delete-sign-ups.ts";

/** Small enough that sign-ups at the same companies wait only milliseconds. */
const CHUNK_SIZE = 500;

const MAX_RANKED = 5;

interface MovePreview extends Record<"people" | "confirmed" | "invited" | "withFriends", number> {
  /** The newest person's id. Pass it to `movePeople`, so that it moves only people who were counted. */
  upTo: string;
  hours: Ranked[];
  domains: Ranked[];
  campaigns: Ranked[];
}

/** Says who the people are, so that an operator can tell a flood from a launch. */
export async function previewMove(db: Kysely<Tables>, filter: Filter): Promise<MovePreview> {
  const top = (name: RawBuilder<unknown>) => sql`(
    select coalesce(json_agg(top), '[]') from (
      select ${name} as name, count(*)::integer as people from matching group by 1 order by 2 desc, 1 limit ${MAX_RANKED}
    ) as top
  )`;
  const counted = sql<MovePreview>`
    with matching as materialized (
      select id, email_key, utm, joined_at, confirmed_at, invited_at, friends from sign_ups where ${matches(filter)}
    )
    select count(*)::integer as people, ${countIn("confirmed")} as confirmed, ${countIn("invited")} as invited,
      count(*) filter (where friends > 0)::integer as "withFriends", coalesce(max(id), 0)::text as "upTo",
      ${top(sql`to_char(joined_at at time zone 'UTC', 'YYYY-MM-DD HH24:00')`)} as hours,
      ${top(domainOf())} as domains, ${top(sql`coalesce(utm ->> 'campaign', '(none)')`)} as campaigns
    from matching`;
  return onlyRow(await counted.execute(db));
}

interface Move {
  filter: Filter;
  upTo: string;
  /** Confirmed people are real, so they stay unless an operator says otherwise. */
  withConfirmed: boolean;
}

/** Moves people from the list to quarantine, from where `undoMove` brings them back. Webhooks don't learn about it. */
export function movePeople(db: Database, actor: Actor, { filter, upTo, withConfirmed }: Move): Promise<number> {
  let first: string | undefined;
  let latest: string | undefined;
  const isMoved = withConfirmed ? matches(filter) : sql`${matches(filter)} and ${isIn("confirmed", false)}`;
  const choose = (transaction: Kysely<Tables>, after: string) =>
    sql<{ id: string }>`
      select id from sign_ups where id > ${after} and id <= ${upTo} and ${isMoved}
      order by id limit ${CHUNK_SIZE} for update`.execute(transaction);
  const move = async (transaction: Kysely<Tables>, ids: string[]) => {
    if (ids.length === 0) return 0;
    latest = await recordActivity(transaction, actor, { action: "move people", count: ids.length, continues: first });
    const { rows } = await sql<Back>`
      select id, company_key from move_sign_ups(${ids}, ${latest})`.execute(transaction);
    await subtract(transaction, rows);
    return rows.length;
  };
  return changeInParts(
    (work) => retryTransaction(db, work),
    choose,
    move,
    () => {
      // Set after the commit, because a transaction that is rolled back leaves no entry to continue.
      first = latest;
    },
  );
}

type Back = Pick<Selectable<Tables["sign_ups"]>, "id" | "company_key">;

/** Brings a move's people back as they were. Anyone who has joined again stays in quarantine until the purge. */
export function undoMove(db: Database, actor: Actor, move: string): Promise<number> {
  const choose = (transaction: Kysely<Tables>, after: string) =>
    sql<{ id: string }>`
      select id from moved_sign_ups where move = ${move} and id > ${after}
      order by id limit ${CHUNK_SIZE}`.execute(transaction);
  return changeInParts(recordInParts(db, actor, { action: "undo move" }), choose, putBack);
}

async function putBack(transaction: Kysely<Tables>, ids: string[]): Promise<number> {
  const { rows } = await sql<Back>`select id, company_key from return_sign_ups(${ids})`.execute(transaction);
  if (rows.length === 0) return 0;
  const companyKeys = rows.flatMap(({ company_key }) => company_key ?? []);
  const companies = await joinCompanies(transaction, companyKeys);
  await sql`
    update totals set users = users + ${rows.length}, companies = companies + ${companies}
    where slot = totals_slot()`.execute(transaction);
  return rows.length;
}

/** The moves that can be undone, newest first. */
export async function readMoves(db: Kysely<Tables>) {
  const { rows } = await sql<{ id: string; at: Date; actor: string; people: number; until: Date }>`
    select activity.id, at, actor, count(*)::integer as people,
      min(moved_at) + make_interval(days => ${RETENTION.quarantine}::integer) as until
    from moved_sign_ups join activity on activity.id = move group by activity.id order by activity.id desc`.execute(db);
  return rows;
}

/** Deletes moved people for good, and returns how many. With keys, webhooks learn about those who had confirmed. */
export async function deleteMoved(db: Kysely<Tables>, condition: RawBuilder<boolean>, keys?: ErasureKeys) {
  const { rows: gone } = await sql<{ email_key: EmailKey; isKnown: boolean }>`
    delete from moved_sign_ups where ${condition}
    returning email_key, sign_up ->> 'confirmed_at' is not null as "isKnown"`.execute(db);
  const known = gone.flatMap(({ email_key, isKnown }) => (keys && isKnown ? subjectOf(keys, email_key) : []));
  await sql`insert into hook_events (type, sub) select 'person.erased', unnest(${known}::text[])`.execute(db);
  const emailKeys = gone.map(({ email_key }) => email_key);
  await deleteMailboxes(db, emailKeys);
  return gone.length;
}
