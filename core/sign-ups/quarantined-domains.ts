import { type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { emailKey } from "#core/people/address.ts";

const REFRESH_MS = 5000;

const domainOf = (key: EmailKey) => key.slice(key.lastIndexOf("@") + 1);

export async function readQuarantinedDomains(db: Kysely<Tables>) {
  const { rows } = await sql<{ domain: string; until: Date }>`
    select domain, valid_until as until from quarantined_domains where valid_until > now() order by domain`.execute(db);
  return rows;
}

/**
 * `isQuarantined` says whether a new sign-up's domain goes to quarantine. Sign-ups refresh the domains in the
 * background, so that none waits for a query, or for a database in trouble.
 */
export function watchQuarantinedDomains(db: Database) {
  let domains: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    readAt = performance.now();
    // If refreshing fails, the last domains stay. The sign-ups' own statements report the outage.
    const rows = await db.breaker.read(() => readQuarantinedDomains(db)).catch(() => undefined);
    if (rows) domains = new Set(rows.map(({ domain }) => domain));
  };
  const isQuarantined = (key: EmailKey) => {
    if (performance.now() - readAt >= REFRESH_MS) void refresh();
    return domains.has(domainOf(key));
  };
  return { isQuarantined, refresh };
}

/** Returns false if the domain can't exist. */
export async function quarantineDomain(db: Database, actor: Actor, text: string, days: number): Promise<boolean> {
  const key = emailKey(`x@${text.trim()}`);
  if (!key) return false;
  await db.transaction().execute(async (transaction) => {
    await sql`
      insert into quarantined_domains (domain, valid_until)
      values (${domainOf(key)}, now() + make_interval(days => ${days}::integer))
      on conflict (domain) do update set valid_until = excluded.valid_until`.execute(transaction);
    await recordActivity(transaction, actor, { action: "quarantine domain" });
  });
  return true;
}

export async function stopQuarantining(db: Database, actor: Actor, domain: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("quarantined_domains").where("domain", "=", domain).execute();
    await recordActivity(transaction, actor, { action: "stop quarantining domain" });
  });
}
