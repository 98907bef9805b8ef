import { type Kysely, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";

export interface ConsentCheck {
  /** Entries of people who aren't on the list. */
  orphans: number;
  /** Entries whose words nobody knows. */
  withoutWording: number;
  /** People whose newsletter setting isn't what they said last. */
  contradictions: number;
}

/** Compares the ledger of consents with the list. One statement sees one moment, so it may run while people join. */
export async function verifyConsents(db: Kysely<Tables>): Promise<ConsentCheck> {
  const { rows } = await sql<ConsentCheck>`
    with last_words as (select distinct on (sign_up_id) sign_up_id, given from consents order by sign_up_id, at desc)
    select
      (select count(*)::integer from consents left join sign_ups on id = sign_up_id where id is null) as orphans,
      (
        select count(*)::integer from consents left join consent_wordings on version = wording_version
        where version is null
      ) as "withoutWording",
      (
        select count(*)::integer from sign_ups left join last_words on sign_up_id = id
        where newsletter <> coalesce(given, false)
      ) as contradictions`.execute(db);
  const [check] = rows;
  if (!check) throw new Error("The count answered nothing");
  return check;
}
