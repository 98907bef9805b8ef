import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { countFunnel, describeFunnel } from "#core/overview/funnel.ts";
import { isListed } from "#core/people/states.ts";
import { formatNumber, pluralize } from "#core/text/format.ts";
import { safeCompany } from "#core/text/safe-names.ts";
import type { ClaimedEvent } from "./events.ts";

/** Escaped or removed, so that a company's name can't mention people, disguise links or format text in Slack. */
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The first row is about everyone, each other row about one company. */
interface Group extends Record<"company" | "position", string | null>, Record<"people" | "minutes", number> {
  isTest: boolean;
}

/** Numbers of everyone who confirmed since the last digest. Names a company only if at least three of them share it. */
export async function makeDigest(db: Database, event: ClaimedEvent) {
  const people = sql`count(*) filter (where type = 'person.confirmed' and ${isListed})`;
  const { rows } = await sql<Group>`
    select min(company) as company, ${people}::integer as people,
      greatest(1, ceil(extract(epoch from now() - min(at) filter (where type = 'person.confirmed')) / 60))::integer as minutes,
      bool_or(type = 'webhook.test') as "isTest", max(position) as position
    from webhook_events left join sign_ups on sign_ups.id = person_id
    where position > ${event.cursor} and (endpoint_id is null or endpoint_id = ${event.endpointId})
    group by grouping sets ((), (company_key))
    having grouping(company_key) = 1 or (company_key is not null and ${people} >= 3)
    order by grouping(company_key) desc, people desc limit 4`.execute(db);
  const [all, ...companies] = rows;
  // Everyone may have been erased since the event was claimed.
  if (!all?.position) return undefined;
  if (!all.people && !all.isTest) {
    await sql`
      update webhook_endpoints set cursor = ${all.position}, next_try_at = now()
      where id = ${event.endpointId} and cursor = ${event.cursor}`.execute(db);
    return undefined;
  }
  const named = companies.filter(({ company }) => safeCompany(company));
  const shares = named.map((each) => `${formatNumber(each.people)} of them from ${each.company}`);
  const period = pluralize(all.minutes, "minute").replace(/^1 /, "");
  const joined = `${pluralize(all.people, "person", "people")} joined in the last ${period}`;
  const news = all.people ? `${[joined, ...shares].join(", ")}.` : "This is a test. Nobody has joined since.";
  const text = `${news}\nLast 7 days: ${describeFunnel(await countFunnel(db, "7d"))}.`;
  return {
    body: JSON.stringify({ text: text.replace(/[&<>*_~`@]/g, (character) => ESCAPES[character] ?? "") }),
    event: { ...event, type: all.people ? "digest" : "webhook.test", position: all.position },
    // A test doesn't delay the next digest.
    pace: all.people ? "10 minutes" : undefined,
  };
}
