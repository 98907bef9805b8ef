import { hash } from "node:crypto";
import { type Insertable, type Kysely, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Tables } from "#core/database/tables.ts";
import { LISTED_ROLE, type TeamRole } from "./team-roles.ts";

export const MAX_SESSION_HOURS = 12;
/** Whether the session is within its idle and absolute timeouts. */
const IS_LIVE = sql<boolean>`(
  last_seen_at > now() - interval '30 minutes'
  and created_at > now() - make_interval(hours => ${sql.lit(MAX_SESSION_HOURS)})
)`;

/** Only a hash is stored, so that reading the database gives nobody a session. */
const hashOf = (token: string) => hash("sha256", token, "buffer");

type NewSession = Omit<Insertable<Tables["console_sessions"]>, "token_hash"> & { subject: string };

/**
 * Ends the browser's last session, and starts this one. Returns false if the address is known with another account,
 * because a former colleague's address may have a new owner.
 */
export function startSession(db: Database, token: string, started: NewSession, last = ""): Promise<boolean> {
  const { subject, ...session } = started;
  const { issuer, email } = session;
  return db.transaction().execute(async (transaction) => {
    await deleteEndedSessions(transaction);
    await sql`delete from console_sessions where token_hash = ${hashOf(last)}`.execute(transaction);
    const { rows } = await sql`
      insert into console_operators as known (issuer, subject, email) values (${issuer}, ${subject}, ${email})
      on conflict (email) do update set signed_in_at = now()
      where (known.issuer, known.subject) = (${issuer}, ${subject})
      returning email`.execute(transaction);
    if (rows.length === 0) return false;
    await transaction
      .insertInto("console_sessions")
      .values({ ...session, token_hash: hashOf(token) })
      .execute();
    await recordActivity(transaction, { name: email, via: "console" }, { action: "sign in" });
    return true;
  });
}

/** Polling and downloads don't keep a session alive. `isClaimOld`: a new sign-in must confirm the role. */
export async function readSession(db: Database, token: string, options: { issuer: string; isPolling: boolean }) {
  type Row = Record<"id" | "email" | "idToken", string> & Record<"isClaimOld" | "isSeen", boolean>;
  const { rows } = await sql<Row & Record<"roleFromClaim" | "listedRole", TeamRole | null>>`
    select id, email, id_token as "idToken", role_from_claim as "roleFromClaim",
      created_at < now() - interval '1 hour' as "isClaimOld",
      ${LISTED_ROLE} as "listedRole", last_seen_at > now() - interval '1 minute' as "isSeen"
    from console_sessions
    where token_hash = ${hashOf(token)} and issuer = ${options.issuer} and ${IS_LIVE}`.execute(db);
  const [session] = rows;
  if (session && !session.isSeen && !options.isPolling) {
    await sql`update console_sessions set last_seen_at = now() where id = ${session.id}`.execute(db);
  }
  return session;
}

export async function listSessions(db: Database, ownId: string) {
  type Row = Record<"id" | "email", string> & Record<"createdAt" | "lastSeenAt", Date>;
  const { rows } = await sql<Row & { role: TeamRole | null; isFromClaim: boolean; isYours: boolean }>`
    select id, email, coalesce(role_from_claim, ${LISTED_ROLE}) as role,
      role_from_claim is not null as "isFromClaim", created_at as "createdAt",
      last_seen_at as "lastSeenAt", id::text = ${ownId} as "isYours"
    from console_sessions where ${IS_LIVE} order by last_seen_at desc`.execute(db);
  return rows;
}

/** Ends the sessions with this id or address, or all, and returns their sealed ID tokens. */
export function endSessions(db: Database, actor: Actor, which: { id?: string; email?: string }): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ email: string; idToken: string }>`
      delete from console_sessions
      where id = coalesce(${which.id ?? null}, id) and email = coalesce(${which.email ?? null}, email) and ${IS_LIVE}
      returning email, id_token as "idToken"`.execute(transaction);
    for (const operator of new Set(rows.map(({ email }) => email))) {
      const isOwn = operator === actor.name;
      await recordActivity(transaction, actor, isOwn ? { action: "sign out" } : { action: "end sessions", operator });
    }
    return rows.map(({ idToken }) => idToken);
  });
}

export async function deleteEndedSessions(db: Kysely<Tables>): Promise<void> {
  await sql`delete from console_sessions where not ${IS_LIVE}`.execute(db);
}

/** Ends this address's sessions, and lets another account sign in with it. Returns whether the address was known. */
export function forgetOperator(db: Database, actor: Actor, email: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`delete from console_operators where email = ${email}`.execute(transaction);
    if (numAffectedRows) await recordActivity(transaction, actor, { action: "forget operator", operator: email });
    return Boolean(numAffectedRows);
  });
}

/** Records at most one refusal an hour per name, because anyone with an account at the provider can try to sign in. */
export async function recordRefusal(db: Database, name: string): Promise<void> {
  const recent = sql`
    select from activity where action = 'refuse sign-in' and actor = ${name} and at > now() - interval '1 hour'`;
  if ((await recent.execute(db)).rows.length > 0) return;
  await recordActivity(db, { name, via: "console" }, { action: "refuse sign-in" });
}
