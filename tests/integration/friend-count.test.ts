import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { countFriends } from "#core/members/friends.ts";
import { mailboxKey, mailboxOf } from "#core/people/address.ts";
import { addMany } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();
const query = (text: string) => context.db.pool.query(text);

/** The numbers of friends that members have, and how many members have that number. */
const counts = async () =>
  (await query("select friends, count(*)::integer as members from sign_ups group by 1 order by 1")).rows;

const ageCount = (age: string) => query(`update maintenance_runs set succeeded_at = now() - interval '${age}'`);

/** Adds members, and then a friend of each, who confirmed two days ago. Returns the ids in this order. */
async function addPairs(pairs: number): Promise<string[]> {
  const ids = await addMany(context.db, pairs * 2);
  await query(`
    update sign_ups set email_key = id || '@x.com', confirmed_at = now() - interval '48 hours',
      friend_of = case when id >= ${ids[pairs]} then id - ${pairs} end`);
  return ids;
}

test("two workers count thousands of members once a day, and make up for a missed night, as of midnight", async () => {
  const ids = await addPairs(1200);
  /** The transactions that updated members. */
  const updates = async () =>
    (await query("select distinct xmin::text from sign_ups where friends = 1 order by 1")).rows;
  await Promise.all([countFriends(context.db), countFriends(context.db)]);
  await countFriends(context.db);
  expect(await counts()).toEqual([
    { friends: 0, members: 1200 },
    { friends: 1, members: 1200 },
  ]);
  // In chunks, each of them a transaction.
  const before = await updates();
  expect(before).toHaveLength(2);
  await query(`delete from sign_ups where id = ${ids.at(-1)}`);
  await countFriends(context.db);
  expect(await counts()).toMatchObject([{ members: 1199 }, { friends: 1, members: 1200 }]);
  await query(`update sign_ups set confirmed_at = now() where id = ${ids.at(-2)}`);
  await ageCount("3 days");
  await countFriends(context.db);
  expect(await counts()).toMatchObject([{ members: 1201 }, { friends: 1, members: 1198 }]);
  expect(await updates()).toEqual(before);
});

test("counting again on the same day continues an interrupted count, and keeps what the night added", async () => {
  const ids = await addPairs(600);
  await query(`
    update sign_ups set confirmed_at = date_trunc('day', now(), 'UTC') - interval '1 hour' where id >= ${ids[1100]}`);
  const row = "select id, friends, friends_gained from sign_ups order by id";
  await countFriends(context.db);
  const counted = (await query(row)).rows;
  expect(counted.filter(({ friends_gained }) => friends_gained === 1)).toHaveLength(100);
  await query(`update sign_ups set friends = 0, friends_gained = 0 where id > ${ids[300]}`);
  await ageCount("24 hours");
  await countFriends(context.db);
  expect((await query(row)).rows).toEqual(counted);
});

test("the database tells mailboxes apart as the code does", async () => {
  const local = fc.stringMatching(/^[a-zé.+]{1,8}$/);
  const domain = fc.constantFrom("gmail.com", "googlemail.com", "x.com", "mail.gmail.com");
  const keys = fc.sample(fc.tuple(local, domain), 2000).map((parts) => keyOf(parts.join("@")));
  const { rows } = await sql<{ mailbox: string }>`
    select ${mailboxOf(sql`key`)} as mailbox from unnest(${keys}::text[]) with ordinality as each (key, number)
    order by number`.execute(context.db);
  expect(rows.map(({ mailbox }) => mailbox)).toEqual(keys.map(mailboxKey));
});
