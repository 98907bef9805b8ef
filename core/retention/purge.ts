import { type RawBuilder, sql } from "kysely";
import { RETENTION } from "#brand/legal.ts";
import type { Actor } from "#core/activity/activity.ts";
import { changeMany, type Operation } from "#core/activity/change-many.ts";
import { lockPeople, peoplePages } from "#core/activity/people-pages.ts";
import type { Config } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import { CONFIRMATION, REMINDER } from "#core/mail/recipients.ts";
import { deleteEndedSessions } from "#core/operators/sessions.ts";
import { isIn } from "#core/people/states.ts";
import { deleteQuarantined } from "#core/sign-ups/quarantine.ts";
import { deleteSignUps } from "./delete-sign-ups.ts";

/** An undefined setting purges nothing. The keys derive the pseudonyms by which webhooks learn who was deleted. */
type PurgeRules = Partial<Pick<Config, "LAUNCH_DATE" | "PURGE_UNCONFIRMED_SINCE" | "BACKUP_DAYS" | "keys">>;

/** How many were deleted; null if the setting is missing. */
export interface Purged {
  /** Deleted a year after launch. */
  signUps: number | null;
  unconfirmed: number | null;
  setAside: number;
  quarantined: number;
  /** Hashes of erased addresses. */
  erasures: number | null;
}

/** Pass `asOf` to `purge`, so that it deletes only what was counted, even if the year after launch ends in between. */
export async function previewPurge(db: Database, rules: PurgeRules) {
  const { now: asOf } = onlyRow(await sql<{ now: Date }>`select now()`.execute(db));
  const isLate = isYearAfterLaunch(rules, asOf) ?? null;
  const isIgnored = isUnconfirmed(rules, asOf) ?? null;
  // Counts each person once, under the first rule, as `purge` does.
  const isLeft = isIgnored && sql`${isIgnored} and ${isLate} is not true`;
  const isAside = sql`${wasSetAside(asOf)} and ${isLate} is not true and ${isIgnored} is not true`;
  const count = (condition: RawBuilder<unknown> | null, from: RawBuilder<unknown>) =>
    condition ? sql`(select count(*) from ${from} where ${condition})::integer` : sql`null`;
  const counted = await sql<Purged & { people: number }>`
    select
      (select count(*) from sign_ups)::integer as people,
      ${count(isLate, sql`sign_ups`)} as "signUps",
      ${count(isLeft, sql`sign_ups`)} as unconfirmed,
      ${count(isAside, sql`sign_ups`)} as "setAside",
      ${count(sql`caught_at < ${daysBefore(asOf, RETENTION.quarantine)}`, sql`quarantine`)} as quarantined,
      ${count(isForgettable(rules, asOf) ?? null, sql`erasures`)} as erasures`.execute(db);
  return { ...onlyRow(counted), asOf };
}

/** Stores no hashes of deleted people, because the next purge deletes anyone whom a restored backup brings back. */
export async function purge(db: Database, actor: Actor, rules: PurgeRules, asOf: Date): Promise<Purged> {
  const operation: Operation = { actor, action: "purge" };
  const purgePeople = (condition: RawBuilder<boolean>) =>
    changeMany(db, operation, peoplePages(db, condition), async (chunk, ids) => ({
      count: await deleteSignUps(chunk, await lockPeople(chunk, ids, condition), rules.keys),
    }));
  const purgeIf = (condition: RawBuilder<boolean> | undefined) => (condition ? purgePeople(condition) : null);
  const old = await sql<{ id: string }>`
    select id from quarantine where caught_at < ${daysBefore(asOf, RETENTION.quarantine)}`.execute(db);
  const expired = isForgettable(rules, asOf);
  const purged = {
    signUps: await purgeIf(isYearAfterLaunch(rules, asOf)),
    unconfirmed: await purgeIf(isUnconfirmed(rules, asOf)),
    setAside: await purgePeople(wasSetAside(asOf)),
    quarantined: await deleteQuarantined(
      db,
      operation,
      old.rows.map(({ id }) => id),
    ),
    erasures: expired ? await forgetErasures(db, operation, expired) : null,
  };
  for (const table of ["webhook_events", "webhook_deliveries"]) {
    await sql`delete from ${sql.table(table)} where at < ${daysBefore(asOf, RETENTION.webhooks)}`.execute(db);
  }
  await sql`delete from quarantined_domains where valid_until < ${asOf}`.execute(db);
  await sql`delete from page_views where hour < ${daysBefore(asOf, RETENTION.views)}`.execute(db);
  await sql`select forget_erased()`.execute(db);
  await deleteEndedSessions(db);
  await sql`select forget_operators()`.execute(db);
  return purged;
}

function daysBefore(asOf: Date, days: number): RawBuilder<Date> {
  return sql`(${asOf}::timestamptz - make_interval(days => ${days}::integer))`;
}

const wasSetAside = (asOf: Date) => sql<boolean>`(set_aside_at < ${daysBefore(asOf, RETENTION.quarantine)})`;

/** Excludes people who joined more than a year after launch, because the privacy text has no date for them. */
function isYearAfterLaunch({ LAUNCH_DATE }: PurgeRules, asOf: Date): RawBuilder<boolean> | undefined {
  if (LAUNCH_DATE === undefined) return undefined;
  const end = sql`((${LAUNCH_DATE}::date + interval '1 year') at time zone 'UTC')`;
  return sql`(${end} <= ${asOf}::timestamptz and joined_at < ${end})`;
}

/**
 * Unconfirmed people whose last confirmation and reminder were sent long before `asOf`. Excludes people who got no
 * confirmation, are due another or are suppressed, and anyone who joined before PURGE_UNCONFIRMED_SINCE, when the
 * privacy text didn't mention this purge. Checks joined_at too, because the worker could backdate a mail.
 */
function isUnconfirmed({ PURGE_UNCONFIRMED_SINCE: told }: PurgeRules, asOf: Date): RawBuilder<boolean> | undefined {
  if (told === undefined) return undefined;
  const since = sql`(${told}::timestamp at time zone 'UTC')`;
  const cutoff = daysBefore(asOf, RETENTION.unconfirmed);
  return sql`(
    joined_at >= ${since} and ${isIn("confirmed", false)} and ${isIn("suppressed", false)} and mail_network is null and joined_at < ${cutoff}
    and exists (
      select from deliveries
      where message_id = ${CONFIRMATION} and sign_up_id = sign_ups.id and state not in ('pending', 'bounced')
        and sent_at < ${cutoff}
    ) and not exists (
      select from deliveries where message_id = ${REMINDER} and sign_up_id = sign_ups.id and tried_at >= ${cutoff}
    )
  )`;
}

/** Once all backups from before the erasure are deleted, nothing can bring the person back, so the hash can go. */
function isForgettable({ BACKUP_DAYS }: PurgeRules, asOf: Date): RawBuilder<boolean> | undefined {
  return BACKUP_DAYS === undefined ? undefined : sql`erased_at < ${daysBefore(asOf, BACKUP_DAYS)}`;
}

async function forgetErasures(db: Database, operation: Operation, expired: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ hash: Buffer }>`select address_hash as hash from erasures where ${expired}`.execute(db);
  const hashes = rows.map(({ hash }) => hash);
  return changeMany(db, operation, [hashes], async (chunk, some) => {
    // Someone may have been erased again since, and be in a newer backup.
    const { numAffectedRows } = await sql`
      delete from erasures where address_hash = any(${some}::bytea[]) and ${expired}`.execute(chunk);
    return { count: Number(numAffectedRows) };
  });
}
