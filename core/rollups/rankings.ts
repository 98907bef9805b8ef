import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { byDomain, bySpelling } from "./pending.ts";

export interface Ranked {
  name: string;
  people: number;
}

const MAX_RANKED = 10;
/** Only companies with one of the most common spellings are ranked: enough to include the ten largest. */
const MAX_SPELLINGS = 200;

/** Reads the ten largest domains without pending changes, and all with some: the ten largest overall are among them. */
export async function rankDomains(snapshot: Kysely<Tables>, pending: RawBuilder<unknown>): Promise<Ranked[]> {
  const { rows } = await sql<Ranked>`
    with pending as materialized (${byDomain(pending)})
    select domain as name, people from (
      (
        select domain, people from mail_domains where domain not in (select domain from pending)
        order by people desc, domain limit ${MAX_RANKED}
      )
      union all
      select domain, pending.people + coalesce(kept.people, 0)
      from pending left join mail_domains as kept using (domain)
    ) as domains
    where people > 0 order by people desc, domain limit ${MAX_RANKED}`.execute(snapshot);
  return rows;
}

/** Ranks companies by their stored counts, which are always exact, and names each by its most common spelling. */
export async function rankCompanies(snapshot: Kysely<Tables>, pending: RawBuilder<unknown>): Promise<Ranked[]> {
  const { rows } = await sql<Ranked>`
    with pending as materialized (${bySpelling(pending)}), spellings as (
      (
        select key, company, people from company_names
        where (key, company) not in (select key, company from pending)
        order by people desc, key, company limit ${MAX_SPELLINGS}
      )
      union all
      select key, company, pending.people + coalesce(kept.people, 0)
      from pending left join company_names as kept using (key, company)
    )
    select (array_agg(company order by people desc, company))[1] as name, sign_ups as people
    from spellings join companies using (key) where people > 0
    group by key, sign_ups order by sign_ups desc, key limit ${MAX_RANKED}`.execute(snapshot);
  return rows;
}
