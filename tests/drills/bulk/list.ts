import { companyKey } from "#core/people/company-key.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";

/** Where half of the people work whom an operator changes, and all who sign up meanwhile. */
export const BUSY_COMPANY = "Acme";
export const FLOOD = { campaign: "flood" };

export interface ListSize {
  /** Confirmed, and in line. */
  people: number;
  /** Unconfirmed bots. */
  flood: number;
  quarantined: number;
}

/** Fills an empty list, whose tables stay unanalyzed like those of a new list. */
export async function fillList(url: string, { people, flood, quarantined }: ListSize): Promise<void> {
  const busy = companyKey(BUSY_COMPANY);
  await executeOn(
    url,
    `
    insert into sign_ups (email_key, email, first_name, last_name, company, company_key, search_words, newsletter, utm, confirmed_at)
    select address, address, 'Ada', 'Lovelace', company, company, to_tsvector('simple', address || ' ' || company), false,
      case when nth > ${people} then '{"campaign": "flood"}'::jsonb end, case when nth <= ${people} then now() end
    from generate_series(1, ${people + flood}) as nth, format('p%s@list.example', nth) as address,
      lateral (select case when nth % 2 = 0 then '${busy}' else 'employer ' || nth % 50000 end) as of (company);
    insert into quarantine (email_key, email, first_name, last_name, company, newsletter, website)
    select address, address, 'Ada', 'Lovelace', '${BUSY_COMPANY}', false, 'x'
    from generate_series(1, ${quarantined}) as nth, format('q%s@list.example', nth) as address;
    insert into companies (key, sign_ups) select company_key, count(*) from sign_ups group by 1;
    update totals set users = (select count(*) from sign_ups), companies = (select count(*) from companies) where slot = 0`,
  );
}
