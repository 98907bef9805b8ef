import { type Kysely, sql } from "kysely";
import { onlyRow } from "#core/database/only-row.ts";
import type { Tables } from "#core/database/tables.ts";

export interface ConsentCheck {
  /** Entries of people who aren't on the list. */
  orphans: number;
  /** Entries whose wording isn't recorded. */
  withoutWording: number;
  /** People whose newsletter setting differs from their latest entry. */
  contradictions: number;
}

/** Compares the consent ledger with the list. One statement is one snapshot, so it may run while people join. */
export async function verifyConsents(db: Kysely<Tables>): Promise<ConsentCheck> {
  const counted = await sql<ConsentCheck>`
    with latest as (select distinct on (sign_up_id) sign_up_id, given from consents order by sign_up_id, at desc)
    select
      (select count(*)::integer from consents left join sign_ups on id = sign_up_id where id is null) as orphans,
      (
        select count(*)::integer from consents left join consent_wordings on version = wording_version
        where version is null
      ) as "withoutWording",
      (
        select count(*)::integer from sign_ups left join latest on sign_up_id = id
        where newsletter <> coalesce(given, false)
      ) as contradictions`.execute(db);
  return onlyRow(counted);
}
