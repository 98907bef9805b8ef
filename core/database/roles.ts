import { sql } from "kysely";
import type { Database } from "./connect.ts";
import type { Tables } from "./tables.ts";

/** The roles of servers, mail workers, `npx waitlist` and the team's console. None of them owns a table (decision 14). */
export const ROLES = ["farwatch_serve", "farwatch_work", "farwatch_operate", "farwatch_console"] as const;
type Role = (typeof ROLES)[number];
type Table = keyof Tables | "kysely_migration" | "kysely_migration_lock";

/** Privileges as in a GRANT statement; none if a role isn't listed. */
type Privileges = Partial<Record<Exclude<Role, "farwatch_console">, string>>;

// No ids or timestamps, so that nothing can be backdated, and no confirmed_at or invited_at, which are set later.
const INSERT_SIGN_UP =
  "insert (email_key, email, first_name, last_name, company, newsletter, company_key, search_words, idempotency_key, utm, friend_of, mail_due, mail_network)";
const INSERT_QUARANTINED = "insert (email_key, email, first_name, last_name, company, newsletter, website)";
const UPDATE_HOOK = "update (state, cursor, attempts, failing_since, next_try_at)";
// No URL and no secret, which only workers read.
const SHOW_WEBHOOK = "select (id, host, sends, state, cursor, failing_since, next_try_at)";
// A trigger overwrites host and cursor, which 1.0.0 still sets.
const ADD_WEBHOOK = "insert (url, host, secrets, sends, cursor)";
const COUNT = "select, insert, update";
const COMPANIES = "select, insert, update (sign_ups), delete";
// No id or time, so that an entry can't be backdated either.
const RECORD =
  "select, insert (actor, via, action, person_id, message_id, subject, wave_id, hook_id, count, continues, operator)";

/** The compiler requires every table here. Locking rows needs the right to update a column, hence `update (id)`. */
export const PRIVILEGES: Record<Table, Privileges> = {
  sign_ups: {
    farwatch_serve: `select, ${INSERT_SIGN_UP}, update (first_name, last_name, company, company_key, search_words, newsletter, confirmed_at, rejected_at, friends, mail_due, mail_network)`,
    farwatch_work: "select, update (rejected_at, mail_due, mail_network)",
    farwatch_operate: `select, ${INSERT_SIGN_UP}, delete, update (joined_at, first_name, last_name, company, company_key, search_words, newsletter, invited_at, wave_id, rejected_at, friends, friends_voided_at, mail_due, mail_network)`,
  },
  companies: { farwatch_serve: COMPANIES, farwatch_operate: COMPANIES },
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
    farwatch_serve: "select (id, kind, state, next_release_at, pause_reason)",
    farwatch_work: "select, update (state, finished_at, next_release_at, pause_reason)",
    farwatch_operate: "select, insert, update, delete",
  },
  sent_subjects: { farwatch_serve: "select", farwatch_operate: "select" },
  deliveries: {
    farwatch_serve:
      "select, insert (message_id, sign_up_id, state, reason, copies), update (state, reason, copies, reported_at, reported_by, soft_bounced_at, unsubscribed_at)",
    farwatch_work:
      "select, insert (message_id, sign_up_id), update (state, reason, copies, first_tried_at, tried_at, next_try_at, sent_at, mailed_at, is_gmail, reported_at, reported_by)",
    farwatch_operate: "select, insert, update, delete",
  },
  delivery_counts: { farwatch_serve: "select", farwatch_work: "select", farwatch_operate: "select" },
  mailboxes: { farwatch_serve: `${COUNT}, delete`, farwatch_work: COUNT, farwatch_operate: "select, delete" },
  mail_minutes: { farwatch_serve: "select", farwatch_work: `${COUNT}, delete`, farwatch_operate: "select" },
  mail_sources: { farwatch_serve: COUNT, farwatch_operate: "select, delete" },
  // Only a worker may set the certificate that verifies events.
  sns_certificates: { farwatch_serve: "select, insert (url)", farwatch_work: "select, update (pem), delete" },
  mail_hold: { farwatch_serve: COUNT, farwatch_work: "select", farwatch_operate: `${COUNT}, delete` },
  mail_switch: { farwatch_serve: "select, update (is_on)", farwatch_operate: "select" },
  maintenance_runs: { farwatch_serve: "select", farwatch_operate: "select, insert, update" },
  activity: { farwatch_operate: RECORD },
  console_roles: { farwatch_operate: "select, insert, update (role), delete" },
  console_operators: { farwatch_operate: "select, delete" },
  console_sessions: { farwatch_operate: "select, delete" },
  overview_figures: { farwatch_operate: "select, insert, delete" },
  // Only workers read URLs and secrets. Servers count failing endpoints for an alert.
  hook_endpoints: {
    farwatch_serve: "select (state, failing_since)",
    farwatch_work: `select, ${UPDATE_HOOK}`,
    farwatch_operate: `${SHOW_WEBHOOK}, ${ADD_WEBHOOK}, update (secrets), ${UPDATE_HOOK}, delete`,
  },
  hook_events: {
    farwatch_serve: "select (id, type, person_id, at)",
    farwatch_work: "select",
    farwatch_operate: "select, insert (type, sub, endpoint_id), delete",
  },
  hook_deliveries: {
    farwatch_work: "insert (endpoint_id, webhook_id, type, attempt, status, outcome)",
    farwatch_operate: "select, delete",
  },
  kysely_migration: { farwatch_serve: "select", farwatch_work: "select", farwatch_operate: "select" },
  kysely_migration_lock: {},
};

/**
 * The team's console, which strangers can reach. It can't say who may sign in, delete people other
 * than one by one, or change what was sent.
 */
const CONSOLE: Partial<Record<Table, string>> = {
  sign_ups: `select, ${INSERT_SIGN_UP}, update (joined_at, first_name, last_name, company, company_key, search_words, newsletter, invited_at, wave_id, rejected_at, friends, friends_voided_at, mail_due, mail_network)`,
  companies: COMPANIES,
  totals: "select, update",
  waves: "select, insert",
  quarantine: "select, update (id), delete",
  consents: "select, insert (sign_up_id, wording_version, given)",
  consent_wordings: "select, insert",
  messages:
    "select, insert (kind, subject, body, audience, pace, pace_unit, state, wave_id, preparing_since, prepared_at, started_at), update (subject, body, audience, pace, pace_unit, version, state, wave_id, preparing_since, prepared_at, started_at, finished_at, next_release_at)",
  sent_subjects: "select",
  deliveries: "select, insert (message_id, sign_up_id)",
  delivery_counts: "select",
  mailboxes: "select, delete",
  mail_minutes: "select",
  mail_hold: "select",
  mail_switch: "select",
  mail_sources: "select",
  activity: RECORD,
  console_roles: "select",
  console_operators: "select, insert (issuer, subject, email), update (signed_in_at)",
  console_sessions:
    "select, insert (token_hash, issuer, email, role_from_claim, id_token), update (last_seen_at), delete",
  overview_figures: "select, insert, delete",
  // It can't send past events again, or move an endpoint to another URL.
  hook_endpoints: `${SHOW_WEBHOOK}, ${ADD_WEBHOOK}, update (secrets, state, attempts, failing_since, next_try_at), delete`,
  hook_events: "select (id, type, person_id, at), insert (type, endpoint_id)",
  hook_deliveries: "select",
  kysely_migration: "select",
};

/** What each role may call with the owner's rights. */
const FUNCTIONS: Record<Role, string> = {
  farwatch_serve: "erase_person, record_consent, forget_erased",
  farwatch_work: "number_hook_events",
  farwatch_operate: "erase_person, record_consent, forget_erased, number_hook_events, forget_operators",
  farwatch_console: "erase_person, record_consent, forget_erased, number_hook_events",
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
      await sql`grant execute on function ${sql.raw(FUNCTIONS[rolname])} to ${role}`.execute(transaction);
      for (const table of Object.keys(PRIVILEGES) as Table[]) {
        const privileges = rolname === "farwatch_console" ? CONSOLE[table] : PRIVILEGES[table][rolname];
        if (privileges) await sql`grant ${sql.raw(privileges)} on ${sql.table(table)} to ${role}`.execute(transaction);
      }
    }
    return rows.map(({ rolname }) => rolname);
  });
}
