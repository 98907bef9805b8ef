// Past 200 lines, because a move and its undo are one promise: every case compares the list before and after.
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { readActivity } from "#core/activity/activity.ts";
import { describeActivity } from "#core/activity/activity-text.ts";
import { createKeys } from "#core/config/keys.ts";
import { silenceMailbox } from "#core/mail/queue/mailboxes.ts";
import { readDownload } from "#core/members/download.ts";
import { confirmAddress } from "#core/members/member.ts";
import { readTotals } from "#core/people/totals.ts";
import { addressHash, erase } from "#core/retention/erase.ts";
import { reapplyErasures } from "#core/retention/erasures.ts";
import { movePeople, previewMove, readMoves, undoMove } from "#core/retention/move.ts";
import { previewPurge, purge } from "#core/retention/purge.ts";
import { exportFile } from "#core/transfer/export-file.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { passMidnight } from "#tests/support/midnight.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();
const keys = createKeys(SECRET);

const FULL = process.env.FULL_FLOOD !== undefined;
const [PEOPLE, BOTS] = FULL ? [5000, 50_000] : [500, 5000];
/** The hour of the attack. */
const HOUR = { since: new Date("2026-11-30T18:00Z"), until: new Date("2026-11-30T19:00Z") };

/** People from one month, some confirmed, invited, friends or mailed; bots from one hour and two domains. */
async function flood(): Promise<void> {
  await operator.db.pool.query(`
    insert into sign_ups (email_key, email, first_name, last_name, company, company_key, newsletter, joined_at, utm,
      confirmed_at, invited_at, friend_of)
    select address, address, 'Ada', 'Lovelace', 'Acme ' || number % 50, 'acme ' || number % 50, number % 3 = 0,
      '2026-11-01Z'::timestamptz + number * interval '30 days' / ${PEOPLE}, '{"source": "google", "campaign": "launch"}',
      case when number % 2 = 0 then '2026-12-01Z'::timestamptz end, case when number % 20 = 0 then now() end,
      case when number % 10 = 2 then 1 end
    from generate_series(1, ${PEOPLE}) as number, format('p%s@example.com', number) as address;
    insert into sign_ups (email_key, email, first_name, last_name, company, company_key, newsletter, joined_at, mail_network)
    select address, address, 'Bot', 'Net', 'Acme ' || number % 90, 'acme ' || number % 90, number % 5 = 0,
      '2026-11-30 18:00:00.123456Z'::timestamptz + number * interval '59 minutes' / ${BOTS}, case when number % 7 = 0 then 0 end
    from generate_series(1, ${BOTS}) as number,
      format('b%s@%s.test', number, case when number % 2 = 0 then 'even' else 'odd' end) as address;
    update sign_ups set friend_of = (select min(id) from sign_ups) where friend_of is not null;
    insert into consents (sign_up_id, wording_version, given, at) select id, ${NEWSLETTER_CONSENT.version}, true, joined_at from sign_ups where newsletter;
    insert into deliveries (message_id, sign_up_id, state, copies, sent_at, mailed_at, is_gmail)
    select 1, id, case when id % 3 = 0 then 'pending' else 'sent' end, 2, joined_at, array[joined_at], id % 4 = 0 from sign_ups;
    update sign_ups set confirmed_at = joined_at, friend_of = (select min(id) from sign_ups)
    where email in ('b10@even.test', 'b11@odd.test', 'b12@even.test');
    update sign_ups set friends = 4 where id = (select min(id) from sign_ups);
    update sign_ups set search_words = array_to_tsvector(array(
      select distinct upper(word) from regexp_split_to_table(
        concat_ws(' ', first_name, last_name, company, replace(company, ' ', ''), email), '[^A-Za-z0-9]+') as word
    ));
    insert into companies select company_key, count(*) from sign_ups group by 1;
    update totals set users = (select count(*) from sign_ups), companies = (select count(*) from companies) where slot = 0`);
}

async function snapshot() {
  const read = async (statement: string) => (await operator.db.pool.query(statement)).rows[0].hash as string;
  const hash = (columns: string, from: string) =>
    `select md5(string_agg(${columns}, '' order by ${columns})) as hash from ${from}`;
  return {
    people: await read(hash("s::text", "sign_ups s")),
    consents: await read(hash("c::text", "consents c")),
    deliveries: await read(hash("d::text", "deliveries d")),
    events: await read(hash("h::text", "hook_events h")),
    mailboxes: await read(hash("m::text", "mailboxes m")),
    counts: await read(
      hash(
        "c::text",
        "(select message_id, state, sum(deliveries), sum(reached), sum(gmail) from delivery_counts group by 1, 2) c",
      ),
    ),
    totals: await readTotals(operator.db.pool),
    exported: await text(Readable.from(exportFile(operator.db, OPERATOR, { filter: {}, format: "csv" }, () => {}))),
  };
}

const isExact = async () => (await waitlistJson("verify")).isExact;
const count = async (condition: string) =>
  Number((await operator.db.pool.query(`select count(*) from ${condition}`)).rows[0].count);
const sentences = async () =>
  (await readActivity(operator.db, { limit: 9 })).entries.map((entry) =>
    describeActivity(entry)
      .map(({ text }) => text)
      .join(""),
  );

/** Moves everyone, and returns the move's id. */
async function moveAll(filter = {}, withConfirmed = true): Promise<string> {
  const { upTo } = await previewMove(operator.db, filter);
  await movePeople(operator.db, OPERATOR, { filter, upTo, withConfirmed });
  return (await readMoves(operator.db))[0]?.id ?? "";
}

/** Ada, with a friend, consent, an unsubscribed mailbox and a webhook event; and her friend Bob, who confirmed. */
async function adaAndBob(): Promise<string> {
  await operator.join(aSignUp({ email: ADA, company: "Acme", newsletter: true }), null);
  await operator.join(aSignUp({ email: "bob@example.com" }), null);
  const [ada = "", bob = ""] = await ids();
  await operator.db.pool.query("update sign_ups set friend_of = $1 where id = $2", [ada, bob]);
  for (const id of [ada, bob]) await confirmAddress(operator.db, id);
  await silenceMailbox(operator.db, keyOf(ADA));
  await operator.db.pool.query(
    "insert into deliveries (message_id, sign_up_id, state, sent_at) values (1, $1, 'sent', now())",
    [ada],
  );
  return ada;
}

const ADA = "ada+tag@example.com";
const ids = async () =>
  (await operator.db.selectFrom("sign_ups").select("id").orderBy("id").execute()).map(({ id }) => id);

test(
  "a flood is seen, moved without anyone who confirmed, and brought back exactly while people join",
  async () => {
    await flood();
    expect(await isExact()).toBe(true);
    const before = await snapshot();
    const timed = async <Result>(name: string, work: Promise<Result>) => {
      const startedAt = performance.now();
      const result = await work;
      if (FULL) console.log(`${name}: ${Math.round(performance.now() - startedAt)} ms`);
      return result;
    };

    const inHour = await count("sign_ups where joined_at >= '2026-11-30 18:00Z' and joined_at < '2026-11-30 19:00Z'");
    const preview = await timed("preview", previewMove(operator.db, HOUR));
    expect(preview).toMatchObject({ people: inHour, hours: [{ name: "2026-11-30 18:00", people: inHour }] });
    expect(preview.domains.slice(0, 2).map(({ name }) => name)).toEqual(["even.test", "odd.test"]);
    expect(preview.confirmed).toBeGreaterThanOrEqual(3);

    // While others are moved, signs people up, some of them with the attack's companies.
    const joinSome = (name: string) =>
      Promise.all(
        Array.from({ length: 40 }, (_, number) =>
          operator.join(aSignUp({ email: `${name}${number}@new.test`, company: `Acme ${number}` }), null),
        ),
      );
    const request = { filter: HOUR, upTo: preview.upTo, withConfirmed: false };
    const [moved] = await Promise.all([timed("move", movePeople(operator.db, OPERATOR, request)), joinSome("during")]);
    expect(moved).toBe(preview.people - preview.confirmed);
    expect(await count("moved_sign_ups where sign_up ->> 'confirmed_at' is not null")).toBe(0);
    expect(await isExact()).toBe(true);
    expect(await sentences()).toEqual([`moved ${moved.toLocaleString("en")} people to quarantine`, expect.anything()]);

    const [{ id, people } = { id: "", people: 0 }] = await readMoves(operator.db);
    expect(people).toBe(moved);
    const [back] = await Promise.all([timed("undo", undoMove(operator.db, OPERATOR, id)), joinSome("again")]);
    expect(back).toBe(moved);
    expect(await isExact()).toBe(true);
    expect(await count("sign_ups")).toBe(PEOPLE + BOTS + 80);
    expect(await count("moved_sign_ups")).toBe(0);
    expect((await sentences())[0]).toBe(`moved ${moved.toLocaleString("en")} people back from quarantine`);
    // Removes the people who joined meanwhile, to compare the rest.
    const filter = { domain: "new.test" };
    await moveAll(filter);
    expect(await snapshot()).toEqual(before);
  },
  FULL ? 600_000 : 60_000,
);

test("a member and their friend come back with friends, consents, emails and events, in either order", async () => {
  await adaAndBob();
  await passMidnight(operator.db);
  const before = await snapshot();
  const friend = await moveAll({ search: "bob" });
  const member = await moveAll();
  expect(await ids()).toEqual([]);
  expect(await count("hook_events")).toBe(0);
  await undoMove(operator.db, OPERATOR, friend);
  await undoMove(operator.db, OPERATOR, member);
  expect(await snapshot()).toEqual(before);
  expect(await isExact()).toBe(true);
});

test("confirmed people are moved only on request, and nobody who joined after the preview", async () => {
  await adaAndBob();
  const { upTo } = await previewMove(operator.db, {});
  await operator.join(aSignUp(), null);
  const move = (withConfirmed: boolean) => movePeople(operator.db, OPERATOR, { filter: {}, upTo, withConfirmed });
  expect(await move(false)).toBe(0);
  expect(await move(true)).toBe(2);
  expect(await count("sign_ups")).toBe(1);
  expect(await readMoves(operator.db)).toMatchObject([{ people: 2, actor: OPERATOR.name }]);
});

test("an undo leaves out anyone who has joined again, and brings them back once they left", async () => {
  const ada = await adaAndBob();
  const move = await moveAll();
  await operator.join(aSignUp({ email: ADA, company: "Acme" }), null);
  expect(await undoMove(operator.db, OPERATOR, move)).toBe(1);
  expect(await readMoves(operator.db)).toMatchObject([{ id: move, people: 1 }]);
  expect(await ids()).not.toContain(ada);
  expect(await isExact()).toBe(true);
  await moveAll({ search: "ada" });
  expect(await undoMove(operator.db, OPERATOR, move)).toBe(1);
  expect(await ids()).toContain(ada);
  expect(await isExact()).toBe(true);
});

test("two undos of the same move bring everyone back once", async () => {
  await adaAndBob();
  const move = await moveAll();
  const both = await Promise.all([1, 2].map(() => undoMove(operator.db, OPERATOR, move)));
  expect(both.toSorted()).toEqual([0, 2]);
  expect(await isExact()).toBe(true);
});

describe("someone who was moved", () => {
  test("is shown and in their download, and isn't on the list", async () => {
    await adaAndBob();
    await moveAll();
    const shown = await waitlistJson("show", ADA);
    expect(shown).toMatchObject({ signUp: null, moved: [{ signUp: { email: ADA }, consents: [{ given: true }] }] });
    expect((await waitlist("show", ADA)).stdout).toContain("Moved to quarantine");
    expect(JSON.stringify(await readDownload(operator.db, keyOf(ADA)))).toContain("Sign-ups set aside");
  });

  test("is erased for good, and webhooks learn about it", async () => {
    await adaAndBob();
    const move = await moveAll();
    expect(await count("hook_events")).toBe(0);
    expect(await waitlistJson("erase", ADA, "--yes")).toMatchObject({ signUps: 0, quarantined: 1 });
    expect(await count("hook_events where type = 'person.erased'")).toBe(1);
    expect(await count("mailboxes")).toBe(0);
    expect(await undoMove(operator.db, OPERATOR, move)).toBe(1);
    expect(await count(`sign_ups where email = '${ADA}'`)).toBe(0);
    expect(await isExact()).toBe(true);
  });

  test("is gone if they are erased while they are moved or brought back", async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      await operator.join(aSignUp({ email: ADA }), null);
      const { upTo } = await previewMove(operator.db, {});
      const move = turn % 2 ? await moveAll() : undefined;
      await Promise.all([
        move
          ? undoMove(operator.db, OPERATOR, move)
          : movePeople(operator.db, OPERATOR, { filter: {}, upTo, withConfirmed: true }),
        erase(operator.db, OPERATOR, keyOf(ADA), keys),
      ]);
      expect(await count("(select from sign_ups union all select from moved_sign_ups) as everyone")).toBe(0);
    }
    expect(await isExact()).toBe(true);
  });

  test("is erased again if a restored backup brings them back, unless they joined since", async () => {
    const erasedAt = (email: string, at: string) => ({
      hash: addressHash(keys, keyOf(email)),
      erasedAt: new Date(at),
    });
    await adaAndBob();
    await moveAll();
    const erasures = [erasedAt(ADA, "2999-01-01"), erasedAt("bob@example.com", "2020-01-01")];
    expect(await reapplyErasures(operator.db, OPERATOR, keys, erasures)).toBe(1);
    expect(await operator.db.selectFrom("moved_sign_ups").select("email_key").execute()).toEqual([
      { email_key: "bob@example.com" },
    ]);
  });

  test("is purged after 30 days, and webhooks learn about it", async () => {
    await adaAndBob();
    await moveAll();
    const purgeNow = async () => {
      const { asOf, quarantined } = await previewPurge(operator.db, { keys });
      const purged = await purge(operator.db, OPERATOR, { keys }, asOf);
      expect(purged.quarantined).toBe(quarantined);
      return quarantined;
    };
    expect(await purgeNow()).toBe(0);
    await operator.db.pool.query("update moved_sign_ups set moved_at = now() - interval '30 days 1 minute'");
    expect(await purgeNow()).toBe(2);
    expect(await count("moved_sign_ups")).toBe(0);
    expect(await count("mailboxes")).toBe(0);
    expect(await count("hook_events where type = 'person.erased'")).toBe(2);
  });
});
