import { type Kysely, type RawBuilder, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";
import { countIn } from "#core/people/states.ts";
import { pluralize } from "#core/text/format.ts";
import { type Funnel, formatRate, STEPS } from "./funnel-steps.ts";
import { joinedIn, type Range, viewedIn } from "./ranges.ts";

export const FUNNEL_COLUMNS = sql`${sql.join(STEPS.map((step) => sql.ref(step)))}, "hasPartialViews"`;

export const FUNNEL_SUMS = sql`
  ${sql.join(STEPS.map((step) => sql`coalesce(sum(${sql.ref(step)}), 0)::integer as ${sql.ref(step)}`))},
  coalesce(bool_or("hasPartialViews"), false) as "hasPartialViews"`;

/** Columns of a query on page_views. */
export const viewSteps = (views = sql`views`) => sql`
  ${views} as views, 0 as joined, 0 as confirmed, 0 as invited, 0 as accepted, is_partial as "hasPartialViews"`;

/** Columns of a query on sign_ups. Given a time, counts what had happened by then. */
export const peopleSteps = (by?: RawBuilder<Date>) => sql`
  0 as views, count(*)::integer as joined, ${countIn("confirmed", by)} as confirmed, ${countIn("invited", by)} as invited,
  ${countIn("accepted", by)} as accepted, min(joined_at) < (select min(hour) from page_views) as "hasPartialViews"`;

/** Rows by campaign. Views and people are in separate rows. */
export const funnelRows = (range: Range) => sql`
  select nullif(source, '') as source, nullif(medium, '') as medium, nullif(campaign, '') as campaign, is_other,
    ${viewSteps()}
  from (
    select source, medium, campaign, is_other, sum(views) as views, bool_or(is_partial) as is_partial
    from page_views where ${viewedIn(range)} group by 1, 2, 3, 4
  ) as viewed
  union all
  select utm ->> 'source', utm ->> 'medium', utm ->> 'campaign', false, ${FUNNEL_COLUMNS}
  from (select utm, ${peopleSteps()} from sign_ups where ${joinedIn(range)} group by 1) as people`;

export async function countFunnel(db: Kysely<Tables>, range: Range): Promise<Funnel> {
  return onlyRow(await sql<Funnel>`select ${FUNNEL_SUMS} from (${funnelRows(range)}) as steps`.execute(db));
}

/** "1,204 views, 86 joined (7%), 61 confirmed (71%), 40 invited (66%), 12 accepted (30%)" */
export function describeFunnel(funnel: Funnel): string {
  const steps = STEPS.map((step) => {
    const rate = formatRate(funnel, step);
    return pluralize(funnel[step], step === "views" ? "view" : step, step) + (rate && ` (${rate})`);
  });
  return `${funnel.hasPartialViews ? "at least " : ""}${steps.join(", ")}`;
}
