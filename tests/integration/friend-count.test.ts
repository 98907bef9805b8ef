import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { countFriends } from "#core/members/friends.ts";
import { mailboxKey, mailboxOf } from "#core/people/address.ts";
import { addMany } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

test("two workers count thousands of members once a day, and make up for a missed night, as of midnight", async () => {
  const query = async (text: string) => (await context.db.pool.query(text)).rows;
  const ids = await addMany(context.db, 2400);
  // The second half are friends of the first, one each. A hundred confirmed yesterday, the others before.
  await query(`
    update sign_ups set email_key = id || '@x.com', friend_of = case when id >= ${ids[1200]} then id - 1200 end,
      confirmed_at = date_trunc('day', now(), 'UTC') - case when id < ${ids[2300]} then 25 else 1 end * interval '1 hour'`);
  const counted = () => query("select xmin::text as update, friends, friends_gained from sign_ups order by id");
  await Promise.all([countFriends(context.db), countFriends(context.db)]);
  const once = await counted();
  expect(once.map(({ friends }) => friends)).toEqual(ids.map((_id, nth) => Number(nth < 1200)));
  expect(once.map((row) => row.friends_gained)).toEqual(ids.map((_id, nth) => Number(nth >= 1100 && nth < 1200)));
  // In chunks, each of them a transaction.
  expect(new Set(once.slice(0, 1200).map(({ update }) => update)).size).toBeGreaterThan(1);
  await query(`update sign_ups set confirmed_at = now() where id = ${ids[2399]}`);
  await query(`update sign_ups set friend_of = null where id = ${ids[2398]}`);
  const before = await counted();
  await countFriends(context.db);
  expect(await counted()).toEqual(before);
  await query("update maintenance_runs set succeeded_at = now() - interval '24 hours'");
  await countFriends(context.db);
  const changed = (await counted()).flatMap(({ update, friends }, nth) =>
    update === before[nth].update ? [] : [[nth, friends]],
  );
  expect(changed).toEqual([
    [1198, 0],
    [1199, 0],
  ]);
});

test("the database tells mailboxes apart as the code does", async () => {
  const local = fc.stringMatching(/^[a-zé.+_-]{1,8}$/);
  const domain = fc.constantFrom("gmail.com", "googlemail.com", "x.com", "mail.gmail.com", "pm.me", "mac.com", "ya.ru");
  const keys = fc.sample(fc.tuple(local, domain), 2000).map((parts) => keyOf(parts.join("@")));
  const { rows } = await sql<{ mailbox: string }>`
    select ${mailboxOf(sql`key`)} as mailbox from unnest(${keys}::text[]) with ordinality as each (key, number)
    order by number`.execute(context.db);
  expect(rows.map(({ mailbox }) => mailbox)).toEqual(keys.map(mailboxKey));
});
