import { sql } from "kysely";
import type { Database } from "./connect.ts";
import type { Tables } from "./tables.ts";

/** The roles of servers, mail workers and `npx waitlist`. None of them owns a table (decision 14). */
export const ROLES = ["farwatch_serve", "farwatch_work", "farwatch_operate"] as const;
type Role = (typeof ROLES)[number];

/** Privileges as in a GRANT statement; none if a role isn't listed. */
type Privileges = Partial<Record<Role, string>>;

// No ids or timestamps, so that nothing can be backdated, and no confirmed_at or invited_at, which are set later.
const INSERT_SIGN_UP =
  "insert (email_key, email, first_name, last_name, company, newsletter, company_key, search_words, idempotency_key, utm, friend_of, mail_due, mail_network)";
const INSERT_QUARANTINED = "insert (email_key, email, first_name, last_name, company, newsletter, website)";
const COUNT = "select, insert, update";

/** The compiler requires every table here. Locking rows needs the right to update a column, hence `update (id)`. */
export const PRIVILEGES: Record<keyof Tables | "kysely_migration" | "kysely_migration_lock", Privileges> = {
  sign_ups: {
    farwatch_serve: `select, ${INSERT_SIGN_UP}, update (first_name, last_name, company, company_key, search_words, newsletter, confirmed_at, rejected_at, friends, mail_due, mail_network)`,
    farwatch_work: "select, update (rejected_at, mail_due, mail_network)",
    farwatch_operate: `select, ${INSERT_SIGN_UP}, delete, update (first_name, last_name, company, company_key, search_words, newsletter, invited_at, wave_id, rejected_at, friends, friends_voided_at, mail_due, mail_network)`,
  },
  companies: {
    farwatch_serve: "select, insert, update (sign_ups), delete",
    farwatch_operate: "select, insert, update (sign_ups), delete",
  },
  totals: { farwatch_serve: "select, update", farwatch_operate: "select, update" },
  waves: { farwatch_operate: "select, insert" },
  quarantine: {
    farwatch_serve: `select, ${INSERT_QUARANTINED}, update (id), delete`,
    farwatch_operate: "select, update (id), delete",
  },
  consents: {
    farwatch_serve: "select, insert (sign_up_id, wording_version, given)",
    farwatch_operate: "select, insert, delete",
  },
  consent_wordings: { farwatch_serve: "select, insert", farwatch_operate: "select, insert" },
  erasures: { farwatch_operate: "select, insert, update (erased_at), delete" },
  erasure_counts: { farwatch_serve: "select", farwatch_operate: "select" },
  messages: {
    farwatch_serve: "select (id, kind, state, next_release_at)",
    farwatch_work: "select, update (state, finished_at, next_release_at)",
    farwatch_operate: "select, insert, update, delete",
  },
  sent_subjects: { farwatch_serve: "select", farwatch_operate: "select" },
  deliveries: {
    farwatch_serve: "select, insert (message_id, sign_up_id, state, reason, copies), update (state, reason, copies)",
    farwatch_work:
      "select, insert (message_id, sign_up_id), update (state, reason, copies, first_tried_at, tried_at, next_try_at, sent_at, mailed_at)",
    farwatch_operate: "select, insert, update, delete",
  },
  delivery_counts: { farwatch_serve: "select", farwatch_work: "select", farwatch_operate: "select" },
  mailboxes: { farwatch_serve: `${COUNT}, delete`, farwatch_work: COUNT, farwatch_operate: "select, delete" },
  mail_minutes: { farwatch_serve: "select", farwatch_work: `${COUNT}, delete`, farwatch_operate: "select" },
  mail_hold: { farwatch_serve: COUNT, farwatch_work: "select", farwatch_operate: `${COUNT}, delete` },
  maintenance_runs: { farwatch_serve: "select", farwatch_operate: "select, insert, update" },
  // Grants no insert of id and at, so that an entry can't be backdated either.
  activity: {
    farwatch_operate: "select, insert (actor, via, action, person_id, message_id, wave_id, count, continues)",
  },
  overview_figures: { farwatch_operate: "select, insert, delete" },
  kysely_migration: { farwatch_serve: "select", farwatch_work: "select", farwatch_operate: "select" },
  kysely_migration_lock: {},
};

/** Gives the roles that exist exactly these privileges, and returns their names. */
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
      if (rolname !== "farwatch_work") {
        await sql`grant execute on function erase_person, record_consent, forget_erased to ${role}`.execute(
          transaction,
        );
      }
      for (const [table, { [rolname]: privileges }] of Object.entries(PRIVILEGES)) {
        if (privileges) await sql`grant ${sql.raw(privileges)} on ${sql.table(table)} to ${role}`.execute(transaction);
      }
    }
    return rows.map(({ rolname }) => rolname);
  });
}
