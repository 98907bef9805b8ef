import { sql } from "kysely";
import type { Database } from "./connect.ts";
import type { Tables } from "./tables.ts";

const PROGRAMS = ["serve", "work", "operate", "console"] as const;
type Program = (typeof PROGRAMS)[number];
/** The roles of servers, mail workers, `npx waitlist` and the team's console. None of them owns a table (decision 14). */
export const ROLES = PROGRAMS.map((program) => `farwatch_${program}` as const);
type Table = keyof Tables | "kysely_migration" | "kysely_migration_lock";

/** Privileges as in a GRANT statement; none if a role isn't listed. */
type Privileges = Partial<Record<Program, string>>;

// No ids or timestamps, so that nothing can be backdated, and no confirmed_at or invited_at, which are set later.
const INSERT_SIGN_UP =
  "insert (email_key, email, first_name, last_name, company, newsletter, company_key, search_words, idempotency_key, utm, friend_of, mail_network)";
const UPDATE_SIGN_UP =
  "update (joined_at, first_name, last_name, company, company_key, search_words, newsletter, invited_at, wave_id, suppressed_at, friends, friends_gained, mail_network, answers, set_aside_at)";
const INSERT_QUARANTINED = "insert (email_key, email, first_name, last_name, company, newsletter, website)";
// No URL and no secret, which only workers read.
const SHOW_WEBHOOK = "select (id, host, sends, state, cursor, failing_since, next_try_at)";
const CHANGE_WEBHOOK =
  "insert (url, secrets, sends), update (secrets, state, attempts, failing_since, next_try_at), delete";
const COUNT = "select, insert, update";
const COMPANIES = "select, insert, update (sign_ups), delete";
const EDIT_QUESTIONS =
  "select, insert (position, text, choices, is_multiple), update (version, position, text, choices, is_multiple, retired_at), delete";
// No id or time, so that an entry can't be backdated.
const RECORD =
  "select, insert (actor, via, action, person_id, message_id, subject, wave_id, webhook_id, count, continues, operator)";

/**
 * The compiler requires every table here. Locking rows needs the right to update a column, hence `update (id)`.
 * Strangers can reach the team's console, so its role can't decide who may sign in, or change what was sent. It can
 * delete people only one by one.
 */
export const PRIVILEGES: Record<Table, Privileges> = {
  sign_ups: {
    serve: `select, ${INSERT_SIGN_UP}, update (first_name, last_name, company, company_key, search_words, newsletter, confirmed_at, accepted_at, suppressed_at, mail_network, answers, utm, set_aside_at)`,
    work: "select, update (suppressed_at, friends, friends_gained, mail_network)",
    operate: `select, ${INSERT_SIGN_UP}, delete, ${UPDATE_SIGN_UP}`,
    console: `select, ${INSERT_SIGN_UP}, ${UPDATE_SIGN_UP}`,
  },
  questions: {
    serve: "select, update (id)",
    work: "select",
    operate: EDIT_QUESTIONS,
    console: EDIT_QUESTIONS,
  },
  companies: { serve: COMPANIES, operate: COMPANIES, console: COMPANIES },
  totals: { serve: "select, update", operate: "select, update", console: "select, update" },
  waves: { operate: "select, insert", console: "select, insert" },
  quarantine: {
    serve: `select, ${INSERT_QUARANTINED}, update (id), delete`,
    operate: "select, update (id), delete",
    console: "select, update (id), delete",
  },
  quarantined_domains: {
    serve: "select",
    operate: "select, insert, update (valid_until), delete",
    console: "select, insert, update (valid_until), delete",
  },
  consents: {
    serve: "select, insert (sign_up_id, wording_version, given)",
    operate: "select, insert, delete",
    console: "select, insert (sign_up_id, wording_version, given)",
  },
  consent_wordings: { serve: "select, insert", operate: "select, insert", console: "select, insert" },
  // An import recognizes erased people by their hashes.
  erasures: {
    serve: "select (erased_at, times)",
    operate: "select, insert (address_hash, erased_at), update (erased_at), delete",
    console: "select (address_hash)",
  },
  messages: {
    serve: "select (id, kind, subject, state, started_at, next_release_at, pause_reason)",
    work: "select, update (state, finished_at, next_release_at, pause_reason, reminded_to)",
    operate: "select, insert, update, delete",
    console:
      "select, insert (kind, subject, body, audience, pace, pace_unit, state, wave_id, preparing_since, prepared_at, started_at), update (subject, body, audience, pace, pace_unit, version, state, wave_id, preparing_since, prepared_at, started_at, finished_at, next_release_at, after_days)",
  },
  deliveries: {
    serve:
      "select, insert (message_id, sign_up_id, state, reason, copies), update (state, reason, copies, next_try_at, reported_at, reported_by, soft_bounced_at, unsubscribed_at)",
    work: "select, insert (message_id, sign_up_id), update (state, reason, copies, first_tried_at, tried_at, next_try_at, sent_at, mailed_at, is_gmail, reported_at, reported_by)",
    operate: "select, insert, update, delete",
    console: "select, insert (message_id, sign_up_id), update (reason, next_try_at)",
  },
  delivery_counts: { serve: "select", work: "select", operate: "select", console: "select" },
  mailboxes: { serve: `${COUNT}, delete`, work: COUNT, operate: "select, delete", console: "select, delete" },
  mail_minutes: { serve: "select", work: `${COUNT}, delete`, operate: "select", console: "select" },
  mail_sources: { serve: COUNT, operate: "select, delete", console: "select" },
  // Only a worker may set the certificate that verifies events.
  sns_certificates: { serve: "select, insert (url)", work: "select, update (pem), delete" },
  mail_switch: { serve: "select, update (is_on)", operate: "select", console: "select" },
  maintenance_runs: { serve: "select", work: "select, insert, update", operate: "select, insert, update" },
  activity: { operate: RECORD, console: RECORD },
  console_roles: { operate: "select, insert, update (role), delete", console: "select" },
  console_operators: {
    operate: "select, delete",
    console: "select, insert (issuer, subject, email), update (signed_in_at)",
  },
  console_sessions: {
    operate: "select, delete",
    console: "select, insert (token_hash, issuer, email, role_from_claim, id_token), update (last_seen_at), delete",
  },
  overview_figures: { operate: "select, insert, delete", console: "select, insert, delete" },
  // Only servers read the secrets that they verify acceptances with.
  acceptance_secrets: { serve: "select", operate: "insert (secret)", console: "insert (secret)" },
  page_views: { serve: COUNT, work: "select", operate: "select, delete", console: "select" },
  // Only workers read URLs and secrets. Servers count failing endpoints for an alert.
  // Operators and the console can't move an endpoint to another URL.
  webhook_endpoints: {
    serve: "select (state, failing_since)",
    work: "select, update (state, cursor, attempts, failing_since, next_try_at)",
    operate: `${SHOW_WEBHOOK}, ${CHANGE_WEBHOOK}`,
    console: `${SHOW_WEBHOOK}, ${CHANGE_WEBHOOK}`,
  },
  webhook_events: {
    serve: "select (id, type, person_id, at)",
    work: "select",
    operate: "select, insert (type, sub, endpoint_id), delete",
    console: "select (id, type, person_id, at), insert (type, endpoint_id)",
  },
  webhook_deliveries: {
    work: "insert (endpoint_id, webhook_id, type, attempt, status, outcome)",
    operate: "select, delete",
    console: "select",
  },
  kysely_migration: { serve: "select", work: "select", operate: "select", console: "select" },
  kysely_migration_lock: {},
};

/** The functions that each role may call, which run with the owner's rights. */
const FUNCTIONS: Record<Program, string> = {
  serve: "erase_person, record_consent, forget_erased",
  work: "number_webhook_events",
  operate: "erase_person, record_consent, forget_erased, number_webhook_events, forget_operators",
  console: "erase_person, record_consent, forget_erased, number_webhook_events",
};

/** Gives each existing role exactly these privileges, and returns the roles' names. */
export async function grantRoles(db: Database): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ rolname: string; program: Program }>`
      select rolname, split_part(rolname, '_', 2) as program from pg_roles
      where rolname in (${sql.join(ROLES)})`.execute(transaction);
    // Two concurrent grants on the same table would fail.
    await sql`select pg_advisory_xact_lock(hashtext('grant roles'))`.execute(transaction);
    for (const { rolname, program } of rows) {
      const role = sql.id(rolname);
      await sql`revoke all on all tables in schema public from ${role}`.execute(transaction);
      await sql`grant usage on schema public to ${role}`.execute(transaction);
      await sql`grant execute on function ${sql.raw(FUNCTIONS[program])} to ${role}`.execute(transaction);
      for (const [table, { [program]: privileges }] of Object.entries(PRIVILEGES)) {
        if (privileges) await sql`grant ${sql.raw(privileges)} on ${sql.table(table)} to ${role}`.execute(transaction);
      }
    }
    return rows.map(({ rolname }) => rolname);
  });
}
