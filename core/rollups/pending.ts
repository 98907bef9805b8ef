import { type RawBuilder, sql } from "kysely";

/** What a person counts as. Weight is 1, or -1 for what they counted as before a change. */
export const COUNTED_COLUMNS = sql.raw(
  "weight, joined_at, utm, confirmed, invited, newsletter, rejected, domain, company_key, company",
);

/**
 * People on the list with an id above `after`, up to `upTo`. As values instead of a join with rollup_state: without
 * them, PostgreSQL expects a third of the list and reads all of it.
 */
export function listedPeople(after: string, upTo: string | "all"): RawBuilder<unknown> {
  return sql`
    select 1 as weight, joined_at, utm, confirmed_at is not null as confirmed, invited_at is not null as invited,
      newsletter, rejected_at is not null as rejected, split_part(email_key, '@', -1) as domain, company_key, company
    from sign_ups where id > ${after} ${upTo === "all" ? sql`` : sql`and id <= ${upTo}`}`;
}

/** What the rollups don't have yet: changes to people who are counted, and people who have joined since. */
export function pendingPeople(rolledUpTo: string, isLive: boolean): RawBuilder<unknown> {
  const changes = sql`select ${COUNTED_COLUMNS} from rollup_changes where sign_up_id <= ${rolledUpTo}`;
  return isLive ? sql`${changes} union all ${listedPeople(rolledUpTo, "all")}` : changes;
}

/** The columns of sign_ups_by_time. */
export const TIME_COLUMNS = sql.raw(
  "span, starts_at, source, medium, campaign, joined, confirmed, invited, newsletter, rejected",
);

/** Adds people up as sign_ups_by_time does. */
export function byTime(people: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select
      span,
      date_trunc(span, joined_at, 'UTC') as starts_at,
      utm ->> 'source' as source,
      utm ->> 'medium' as medium,
      utm ->> 'campaign' as campaign,
      sum(weight)::integer as joined,
      coalesce(sum(weight) filter (where confirmed), 0)::integer as confirmed,
      coalesce(sum(weight) filter (where invited), 0)::integer as invited,
      coalesce(sum(weight) filter (where newsletter), 0)::integer as newsletter,
      coalesce(sum(weight) filter (where rejected), 0)::integer as rejected
    from (${people}) as people, (values ('hour'), ('day')) as spans (span) group by 1, 2, 3, 4, 5`;
}

export function byDomain(people: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select domain, sum(weight)::integer as people from (${people}) as people group by 1`;
}

export function bySpelling(people: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select company_key as key, company, sum(weight)::integer as people from (${people}) as people
    where company_key is not null group by 1, 2`;
}
