import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey, Tables } from "#core/database/tables.ts";
import { domainOf, mailboxKey } from "#core/people/address.ts";
import { countIn, isIn } from "#core/people/states.ts";

interface MemberWithFriends
  extends Pick<Selectable<Tables["sign_ups"]>, "id" | "email_key" | "friends" | "friends_voided_at"> {
  /** The addresses of the member's confirmed friends. */
  confirmed: EmailKey[];
}

/** Reads members with the addresses of their confirmed friends. */
export const membersWithFriends = (condition: RawBuilder<unknown>) => sql<MemberWithFriends>`
  select id, email_key, friends, friends_voided_at, array(
    select email_key from sign_ups where friend_of = member.id and ${isIn("confirmed")}
  ) as confirmed
  from sign_ups as member where ${condition}`;

export const MAX_FRIENDS = 4;

/** Counts one friend per mailbox, and never the member's own mailbox. */
export function countFriends({ email_key, friends_voided_at, confirmed }: MemberWithFriends): number {
  if (friends_voided_at) return 0;
  const mailboxes = new Set(confirmed.map(mailboxKey));
  mailboxes.delete(mailboxKey(email_key));
  return Math.min(mailboxes.size, MAX_FRIENDS);
}

const DAY_MS = 86_400_000;

const changedSince = ({ friends_changed_on: day }: Selectable<Tables["sign_ups"]>, daysAgo: number) =>
  Number(day) >= new Date().setUTCHours(0, 0, 0, 0) - daysAgo * DAY_MS;

/**
 * A member's view of their row: their friends as of midnight UTC, because a member may have signed up a stranger, and
 * must not learn the time at which that person confirms or leaves.
 */
export function asOfMidnight(person: Selectable<Tables["sign_ups"]>) {
  const { friends_before, friends_at_midnight, friends_changed_on, ...row } = person;
  const friends = changedSince(person, 0) ? Number(friends_at_midnight) : row.friends;
  const lag = (row.friends - friends) * 7 * DAY_MS;
  return { ...row, friends, line_at: row.line_at && new Date(row.line_at.getTime() + lag) };
}

/** How many friends the person gained from the midnight before last to the last midnight. */
export function gainedAtMidnight(person: Selectable<Tables["sign_ups"]>): number {
  const { friends } = asOfMidnight(person);
  if (changedSince(person, 0)) return friends - (person.friends_before ?? friends);
  return changedSince(person, 1) ? friends - Number(person.friends_at_midnight) : 0;
}

/**
 * Counts a friend who just confirmed. If the count can't change, only takes a share lock: it delays recounts until the
 * commit, but thousands who confirm through one link don't wait for each other.
 */
export async function addFriend(transaction: Kysely<Tables>, member: string | null): Promise<void> {
  if (member === null) return;
  const { rows } = await sql`
    select from sign_ups where id = ${member} and (friends = ${MAX_FRIENDS} or friends_voided_at is not null)
    for share`.execute(transaction);
  if (rows.length === 0) await recountFriends(transaction, [member]);
}

/**
 * Counts these members' friends again, after a friend confirmed or left. Locks each member first, so that the later
 * of two concurrent counts sees the friends of both. Call it before companies and totals are locked.
 */
export async function recountFriends(transaction: Kysely<Tables>, members: (string | null)[]): Promise<void> {
  for (const id of new Set(members.filter((each) => each !== null))) {
    await sql`select from sign_ups where id = ${id} for no key update`.execute(transaction);
    // Finds nobody if the member has left.
    const { rows } = await membersWithFriends(sql`id = ${id}`).execute(transaction);
    for (const count of rows.map(countFriends))
      await sql`update sign_ups set friends = ${count} where id = ${id} and friends <> ${count}`.execute(transaction);
  }
}

/** Stops counting someone's friends, present and future, or counts them again. Returns whether this changed anything. */
export function voidFriends(db: Database, actor: Actor, id: string, isVoid: boolean): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`
      update sign_ups set friends_voided_at = ${isVoid ? sql`now()` : null}
      where id = ${id} and (friends_voided_at is null) = ${isVoid}`.execute(transaction);
    if (numAffectedRows !== 1n) return false;
    await recountFriends(transaction, [id]);
    await recordActivity(transaction, actor, { action: isVoid ? "void friends" : "restore friends", person: id });
    return true;
  });
}

/** The largest domains of the people who joined through someone's link. */
export async function readFriendDomains(db: Database, id: string) {
  const { rows } = await sql<{ domain: string; joined: number; confirmed: number }>`
    select ${domainOf()} as domain, count(*)::integer as joined, ${countIn("confirmed")} as confirmed
    from sign_ups where friend_of = ${id} group by 1 order by 2 desc, 1 limit 5`.execute(db);
  return rows;
}
