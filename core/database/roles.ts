import { sql } from "kysely";
import type { Database } from "./connect.ts";
import type { Tables } from "./tables.ts";

/** Servers and mail workers connect as one, `npx waitlist` as the other. Neither owns a table (decision 14). */
export const ROLES = ["farwatch_serve", "farwatch_operate"] as const;
type Role = (typeof ROLES)[number];

/** Privileges as in a GRANT statement; none if a role isn't listed. */
type Privileges = Partial<Record<Role, string>>;

/** Add a new table here, or the compiler complains. Rows can only be locked with the right to update a column. */
export const PRIVILEGES: Record<keyof Tables | "kysely_migration" | "kysely_migration_lock", Privileges> = {
  sign_ups: {
    farwatch_serve:
      "select, insert, update (first_name, last_name, company, company_key, search_words, newsletter, confirmed_at, rejected_at, mail_due, mail_network)",
    farwatch_operate:
      "select, insert, delete, update (first_name, last_name, company, company_key, search_words, newsletter, invited_at, wave_id, rejected_at, mail_due, mail_network)",
  },
  companies: {
    farwatch_serve: "select, insert, update, delete",
    farwatch_operate: "select, insert, update, delete",
  },
  totals: { farwatch_serve: "select, update", farwatch_operate: "select, update" },
  waves: { farwatch_operate: "select, insert" },
  quarantine: {
    farwatch_serve: "select, insert, update (id), delete",
    farwatch_operate: "select, update (id), delete",
  },
  consents: { farwatch_serve: "select, insert", farwatch_operate: "select, insert, delete" },
  consent_wordings: { farwatch_serve: "select, insert", farwatch_operate: "select, insert" },
  erasures: { farwatch_operate: "select, insert, update (erased_at), delete" },
  messages: {
    farwatch_serve: "select, update (state, finished_at, next_release_at)",
    farwatch_operate: "select, insert, update, delete",
  },
  deliveries: {
    farwatch_serve: "select, insert, update",
    farwatch_operate: "select, insert, update, delete",
  },
  delivery_counts: { farwatch_serve: "select, insert, update", farwatch_operate: "select, insert, update" },
  mailboxes: { farwatch_serve: "select, insert, update, delete", farwatch_operate: "select, delete" },
  mail_minutes: { farwatch_serve: "select, insert, update, delete", farwatch_operate: "select" },
  mail_hold: { farwatch_serve: "select, insert, update", farwatch_operate: "select, insert, update, delete" },
  maintenance_runs: { farwatch_serve: "select", farwatch_operate: "select, insert, update" },
  // Without id and at, so that an entry can't be backdated either.
  activity: {
    farwatch_operate: "select, insert (actor, via, action, person_id, message_id, wave_id, count, continues)",
  },
  overview_figures: { farwatch_operate: "select, insert, delete" },
  kysely_migration: { farwatch_serve: "select", farwatch_operate: "select" },
  kysely_migration_lock: {},
};

/** Sets the privileges of the roles that exist to exactly these, and returns their names. */
export async function grantRoles(db: Database): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ rolname: Role }>`
      select rolname from pg_roles where rolname in (${sql.join([...ROLES])})`.execute(transaction);
    // Two concurrent grants on the same table would fail.
    await sql`select pg_advisory_xact_lock(hashtext('grant roles'))`.execute(transaction);
    for (const { rolname } of rows) {
      const role = sql.id(rolname);
      await sql`revoke all on all tables in schema public from ${role}`.execute(transaction);
      await sql`grant usage on schema public to ${role}`.execute(transaction);
      await sql`grant execute on function erase_person to ${role}`.execute(transaction);
      for (const [table, { [rolname]: privileges }] of Object.entries(PRIVILEGES)) {
        if (privileges) await sql`grant ${sql.raw(privileges)} on ${sql.table(table)} to ${role}`.execute(transaction);
      }
    }
    return rows.map(({ rolname }) => rolname);
  });
}
