import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { RETENTION } from "#brand/legal.ts";
import type { Actor } from "#core/activity/activity.ts";
import { changeMany, type Operation } from "#core/activity/change-many.ts";
import { lockPeople, peoplePages } from "#core/activity/people-pages.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import type { Chunk } from "#core/database/transaction.ts";
import { resumePostponed } from "#core/mail/queue/deliveries.ts";
import type { Ranked } from "#core/overview/count.ts";
import { domainOf } from "#core/people/address.ts";
import { addToTotals, subtractFromTotals } from "#core/people/company-counts.ts";
import { type Filter, matches } from "#core/people/filter.ts";
import { countIn, isIn } from "#core/people/states.ts";

const MAX_RANKED = 5;

interface SetAsidePreview extends Record<"people" | "confirmed" | "invited" | "withFriends", number> {
  /** The newest person's id. Pass it to `setAside`, so that it sets aside only people who were counted. */
  upTo: string;
  hours: Ranked[];
  domains: Ranked[];
  campaigns: Ranked[];
}

/** Says who the people are, so that an operator can tell a flood from a launch. */
export async function previewSetAside(db: Kysely<Tables>, filter: Filter): Promise<SetAsidePreview> {
  const top = (name: RawBuilder<unknown>) => sql`(
    select coalesce(json_agg(top), '[]') from (
      select ${name} as name, count(*)::integer as people from matching group by 1 order by 2 desc, 1 limit ${MAX_RANKED}
    ) as top
  )`;
  const counted = sql<SetAsidePreview>`
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

interface SetAsideRequest {
  filter: Filter;
  upTo: string;
  /** Confirmed people are real, so they stay unless an operator says otherwise. */
  withConfirmed: boolean;
}

export type Aside = Pick<Selectable<Tables["sign_ups"]>, "id" | "company_key">;

/** The time of an operation, given its first activity. All of its people have it, whenever their turn came. */
const timeOf = (operation: string | undefined) => sql<Date>`(
  select at from activity where id = ${operation}::bigint and action = 'set aside')`;

/** Takes people off the list, until `bringBack` or a confirmation. Webhooks don't learn about it. */
export function setAside(
  db: Database,
  actor: Actor,
  { filter, upTo, withConfirmed }: SetAsideRequest,
): Promise<number> {
  const isChosen = withConfirmed ? matches(filter) : sql<boolean>`${matches(filter)} and ${isIn("confirmed", false)}`;
  const operation: Operation = { actor, action: "set aside" };
  return changeMany(db, operation, peoplePages(db, sql`id <= ${upTo} and ${isChosen}`), async (chunk, page) => {
    const ids = await lockPeople(chunk, page, isChosen);
    // The first chunk's activity gets the same now().
    const { rows } = await sql<Aside>`
      update sign_ups set set_aside_at = coalesce(${timeOf(operation.id)}, now()) where id = any(${ids}::bigint[])
      returning id, company_key`.execute(chunk);
    await subtractFromTotals(chunk, rows);
    return { count: ids.length };
  });
}

/** Brings back everyone whom an operation set aside, as they are now, except those who came back by confirming. */
export function bringBack(db: Database, actor: Actor, operation: string): Promise<number> {
  const isAside = sql<boolean>`set_aside_at = ${timeOf(operation)}`;
  return changeMany(db, { actor, action: "bring back" }, peoplePages(db, isAside), async (chunk, page) => {
    const ids = await lockPeople(chunk, page, isAside);
    const { rows } = await sql<Aside>`
      update sign_ups set set_aside_at = null where id = any(${ids}::bigint[]) returning id, company_key`.execute(
      chunk,
    );
    await countAgain(chunk, rows);
    return { count: ids.length };
  });
}

/** Counts people who are back on the list, and sends their postponed emails. Call it after changing their rows. */
export async function countAgain(chunk: Chunk, back: Aside[]): Promise<void> {
  const ids = back.map(({ id }) => id);
  await resumePostponed(chunk, ids);
  await addToTotals(chunk, back);
}

/** The operations that can be undone, newest first. */
export async function readSetAside(db: Kysely<Tables>) {
  const { rows } = await sql<{ id: string; at: Date; actor: string; people: number; until: Date }>`
    select activity.id, at, actor, people, at + make_interval(days => ${RETENTION.quarantine}::integer) as until
    from (
      select set_aside_at as at, count(*)::integer as people from sign_ups where ${isIn("setAside")} group by 1
    ) as aside join activity using (at)
    where action = 'set aside' and continues is null order by activity.id desc`.execute(db);
  return rows;
}
