import { expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { uninvitePerson } from "#core/invitations/uninvite.ts";
import { invitePerson } from "#core/invitations/waves.ts";
import { countPlace } from "#core/members/line.ts";
import { confirmAddress } from "#core/members/member.ts";
import { countMisplaced } from "#core/members/verify-line.ts";
import { mailboxKey } from "#core/people/address.ts";
import { erase } from "#core/retention/erase.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { passMidnight } from "#tests/support/midnight.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";
import { type Random, seededRandom } from "#tools/dev/seed/random.ts";

const KEYS = createKeys("an example secret of 32 characters");
const context = useEmptyList();

const members = 100;

/** A person in the test's in-memory model of the list. */
interface Person {
  id: string;
  email: string;
  joinedAt: number;
  friendOf: Person | undefined;
  state: Record<"confirmed" | "invited" | "suppressed" | "gone", boolean>;
}

/** Applies the rule to everyone. Returns the ids in the order of the line. */
function expectedLine(people: Person[]): string[] {
  const isFriend = ({ friendOf, email, state }: Person) =>
    friendOf && state.confirmed && !state.gone && mailboxKey(keyOf(email)) !== mailboxKey(keyOf(friendOf.email));
  const brought = Map.groupBy(people.filter(isFriend), ({ friendOf }) => friendOf);
  const friendsOf = (person: Person) => new Set(brought.get(person)?.map(({ email }) => mailboxKey(keyOf(email)))).size;
  const timeOf = (person: Person) => person.joinedAt - 7 * 86_400_000 * Math.min(friendsOf(person), 4);
  return people
    .filter(({ state }) => state.confirmed && !state.invited && !state.suppressed && !state.gone)
    .map((person) => ({ id: person.id, at: timeOf(person) }))
    .toSorted((a, b) => a.at - b.at || Number(a.id) - Number(b.id))
    .map(({ id }) => id);
}

/** People who joined over ten weeks, many at the same time, and half as friends of the first twelfth. */
async function addPeople(random: Random): Promise<Person[]> {
  const people: Person[] = [];
  for (let number = 1; number <= members; number += 1) {
    const mailbox = random.chance(0.2) ? Math.floor(random.next() * number) : number;
    people.push({
      id: String(number),
      email: `p${mailbox}+${number}@x.com`,
      joinedAt: Date.UTC(2026, 1, 1) + Math.floor(random.next() * 70) * 86_400_000,
      friendOf: random.chance(0.5) ? people[Math.floor((random.next() * members) / 12)] : undefined,
      state: {
        confirmed: random.chance(0.6),
        invited: random.chance(0.1),
        suppressed: random.chance(0.1),
        gone: false,
      },
    });
  }
  await context.db.pool.query(
    `insert into sign_ups (id, email_key, email, first_name, last_name, newsletter, joined_at, friend_of,
      confirmed_at, invited_at, suppressed_at) overriding system value
    select id, email, email, 'Ada', 'Lovelace', false, to_timestamp("joinedAt" / 1000), friend_of,
      case when confirmed then now() end, case when invited then now() end, case when suppressed then now() end
    from json_to_recordset($1) as person (id bigint, email text, "joinedAt" bigint, friend_of bigint,
      confirmed boolean, invited boolean, suppressed boolean)`,
    [JSON.stringify(people.map(({ friendOf, ...each }) => ({ ...each, ...each.state, friend_of: friendOf?.id })))],
  );
  return people;
}

/** Changes a person at random: half confirm; others are invited or uninvited, suppressed or erased. */
async function happenTo({ id, email, state }: Person, chance: number): Promise<void> {
  const { db } = context;
  if (state.gone) return;
  if (chance < 0.5) {
    await confirmAddress(db, id);
    Object.assign(state, { confirmed: true, suppressed: false });
  } else if (chance < 0.7) {
    await (state.invited ? uninvitePerson(db, OPERATOR, id) : invitePerson(db, OPERATOR, id));
    state.invited = !state.invited;
  } else if (chance < 0.8) {
    await db.updateTable("sign_ups").set({ suppressed_at: new Date() }).where("id", "=", id).execute();
    state.suppressed = true;
  } else {
    await erase(db, null, keyOf(email), KEYS);
    state.gone = true;
  }
}

test.each([1, 2, 3])("everyone's place follows the rule, in any order of events (seed %i)", async (seed) => {
  const { db } = context;
  const random = seededRandom(seed);
  const people = await addPeople(random);
  for (let events = 0; events < 120; events += 10) {
    // Ten at once, to different people.
    const chosen = new Set(Array.from({ length: 10 }, () => people[Math.floor(random.next() * members)] as Person));
    await Promise.all([...chosen].map((person) => happenTo(person, random.next())));
  }
  await passMidnight(db);
  const line = expectedLine(people);
  const { rows } = await db.pool.query("select id from sign_ups where line_at is not null order by line_at, id");
  expect(rows.map(({ id }) => id)).toEqual(line);
  for (const [ahead, id] of line.entries()) expect(await countPlace(db, id)).toMatchObject({ ahead });
  expect(await countMisplaced(db)).toBe(0);
});
