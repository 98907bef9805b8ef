import { sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { emailKey } from "#core/people/address.ts";

export const TEAM_ROLES = ["viewer", "editor", "admin"] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/**
 * An address, or "@" and a domain, in canonical form. Undefined if it is neither. Checks the characters first, because
 * the canonical form of @example.com/x is @example.com.
 */
export function parseWho(text: string): string | undefined {
  return /^[!-?A-~]{0,64}@[\w.-]{1,255}$/.test(text) ? emailKey(text) : undefined;
}

/** The role of the address in the column `email`: its own or, without one, its domain's. */
export const LISTED_ROLE = sql<TeamRole | null>`(
  select role from console_roles where who in (email, '@' || split_part(email, '@', -1))
  order by who like '@%' limit 1
)`;

export async function readListedRole(db: Database, email: string): Promise<TeamRole | null> {
  const { rows } = await sql<{ role: TeamRole | null }>`
    select ${LISTED_ROLE} as role from (select ${email}::text as email) as operator`.execute(db);
  return rows[0]?.role ?? null;
}

export function listRoles(db: Database): Promise<{ who: string; role: TeamRole }[]> {
  return db.selectFrom("console_roles").select(["who", "role"]).orderBy("who").execute();
}

/** Null takes the role away. Returns whether there was anything to change. */
export function setRole(db: Database, actor: Actor, who: string, role: TeamRole | null): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const change = role
      ? sql`insert into console_roles (who, role) values (${who}, ${role})
          on conflict (who) do update set role = excluded.role returning who`
      : sql`delete from console_roles where who = ${who} returning who`;
    const { rows } = await change.execute(transaction);
    const action = role ? (`make ${role}` as const) : "remove role";
    if (rows.length > 0) await recordActivity(transaction, actor, { action, operator: who });
    return rows.length > 0;
  });
}
