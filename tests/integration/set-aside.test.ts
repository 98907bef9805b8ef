// Past 200 lines, because setting people aside and bringing them back is one promise: most cases compare the list
// before and after.
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { inviteNext, invitePerson } from "#core/invitations/waves.ts";
import { silenceMailbox } from "#core/mail/queue/mailboxes.ts";
import { sendLink } from "#core/mail/queue/send-link.ts";
import { readDownload } from "#core/members/download.ts";
import { editPerson } from "#core/members/edit.ts";
import { confirmAddress } from "#core/members/member.ts";
import { bringBack, previewSetAside, readSetAside, setAside } from "#core/members/set-aside.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { readCounts } from "#core/overview/count.ts";
import { countFunnel } from "#core/overview/funnel.ts";
import { createOverview } from "#core/overview/overview.ts";
import { countPeople } from "#core/people/people-count.ts";
import { readPeoplePage } from "#core/people/people-page.ts";
import { readTotals } from "#core/people/totals.ts";
import { addressHash, erase } from "#core/retention/erase.ts";
import { reapplyErasures } from "#core/retention/erasures.ts";
import { previewPurge, purge } from "#core/retention/purge.ts";
import { exportFile } from "#core/transfer/export-file.ts";
import { sentences } from "#tests/support/activity.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { listPeople } from "#tests/support/people.ts";
import { ageSetAside, setAllAside } from "#tests/support/set-aside.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();
const keys = createKeys(SECRET);

const [PEOPLE, BOTS] = [500, 5000];
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
    events: await read(hash("h::text", "webhook_events h")),
    mailboxes: await read(hash("m::text", "mailboxes m")),
    counts: await read(
      hash(
        "c::text",
        "(select message_id, state, sum(deliveries), sum(reached), sum(gmail) from delivery_counts group by 1, 2) c",
      ),
    ),
    totals: await readTotals(operator.db.pool),
    exported: await text(Readable.from(exportFile(operator.db, OPERATOR, { filter: {}, format: "csv" }))),
  };
}

const isExact = async () => (await waitlistJson("verify")).isExact;
const count = async (condition: string) =>
  Number((await operator.db.pool.query(`select count(*) from ${condition}`)).rows[0].count);

const setAll = (filter = {}, withConfirmed = true) => setAllAside(operator.db, filter, withConfirmed);

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

test("a flood is seen, set aside without anyone who confirmed, and brought back exactly while people join", async () => {
  await flood();
  expect(await isExact()).toBe(true);
  const before = await snapshot();
  const inHour = await count("sign_ups where joined_at >= '2026-11-30 18:00Z' and joined_at < '2026-11-30 19:00Z'");
  const preview = await previewSetAside(operator.db, HOUR);
  expect(preview).toMatchObject({ people: inHour, hours: [{ name: "2026-11-30 18:00", people: inHour }] });
  expect(preview.domains.slice(0, 2).map(({ name }) => name)).toEqual(["even.test", "odd.test"]);
  expect(preview.confirmed).toBeGreaterThanOrEqual(3);

  // While others are set aside, signs people up, some of them with the attack's companies.
  const joinSome = (name: string) =>
    Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        operator.join(aSignUp({ email: `${name}${number}@new.test`, company: `Acme ${number}` }), null),
      ),
    );
  const request = { filter: HOUR, upTo: preview.upTo, withConfirmed: false };
  const [aside] = await Promise.all([setAside(operator.db, OPERATOR, request), joinSome("during")]);
  expect(aside).toBe(preview.people - preview.confirmed);
  expect(await count("sign_ups where set_aside_at is not null and confirmed_at is not null")).toBe(0);
  expect(await isExact()).toBe(true);
  expect((await readTotals(operator.db.pool)).totalUsers).toBe(PEOPLE + BOTS + 40 - aside);
  expect(await sentences(operator.db)).toEqual([`set ${aside.toLocaleString("en")} people aside`, expect.anything()]);

  const [{ id, people } = { id: "", people: 0 }, ...others] = await readSetAside(operator.db);
  expect([people, others]).toEqual([aside, []]);
  const [back] = await Promise.all([bringBack(operator.db, OPERATOR, id), joinSome("again")]);
  expect(back).toBe(aside);
  expect(await isExact()).toBe(true);
  expect(await count("sign_ups where set_aside_at is null")).toBe(PEOPLE + BOTS + 80);
  expect((await sentences(operator.db))[0]).toBe(`brought ${aside.toLocaleString("en")} people back`);
  // Removes the people who joined meanwhile, to compare the rest.
  await setAll({ domain: "new.test" });
  await ageSetAside(operator.db, "31 days");
  await purge(operator.db, OPERATOR, {}, new Date());
  expect(await snapshot()).toEqual(before);
}, 60_000);

test("nobody who is set aside is listed, counted, searched, exported or in line", async () => {
  const ada = await adaAndBob();
  await setAll({ search: "tag" });
  const { db } = operator;
  const bob = { email: "bob@example.com" };
  expect(await listPeople(db, {}, 9)).toMatchObject([bob]);
  expect(await listPeople(db, { search: "tag" }, 9)).toEqual([]);
  expect((await readPeoplePage(db, { search: "+tag@exa" }, { limit: 9, insideMs: 2000 })).people).toEqual([]);
  expect(await countPeople(db, { confirmed: true })).toMatchObject({ people: 1 });
  expect(await readCounts(db)).toMatchObject({ lastDay: 1, confirmed: 1, waiting: 1, newsletter: 0, unsubscribed: 0 });
  expect(await countFunnel(db, "all")).toMatchObject({ joined: 1, confirmed: 1 });
  const { states, range, people } = await createOverview(db).read("all");
  expect({ people, states }).toMatchObject({ people: 1, states: { confirmed: 1 } });
  expect(range).toMatchObject({ intervals: expect.not.arrayContaining([expect.objectContaining({ joined: 2 })]) });
  expect(range?.companies).toEqual([]);
  expect((await splitAudience(db, { kind: "invitation", audience: {} })).matching).toBe(1);
  expect(await inviteNext(db, OPERATOR, {}, 9)).toMatchObject({ invited: 1 });
  expect(await invitePerson(db, OPERATOR, ada)).toBeUndefined();
  expect(await sendLink(db, MAIL_ON, OPERATOR, ada)).toBe("set aside");
  const { exported } = await snapshot();
  expect(exported).toContain(bob.email);
  expect(exported).not.toContain(ADA);
});

test("confirmed people are set aside only on request, and nobody who joined after the preview", async () => {
  await adaAndBob();
  const { upTo } = await previewSetAside(operator.db, {});
  await operator.join(aSignUp(), null);
  const run = (withConfirmed: boolean) => setAside(operator.db, OPERATOR, { filter: {}, upTo, withConfirmed });
  expect(await run(false)).toBe(0);
  expect(await run(true)).toBe(2);
  expect(await listPeople(operator.db, {}, 9)).toHaveLength(1);
  expect(await readSetAside(operator.db)).toMatchObject([{ people: 2, actor: OPERATOR.name }]);
});

test("someone who confirms is back, with company and friends, and stays when the others are brought back", async () => {
  const ada = await adaAndBob();
  const before = await snapshot();
  const bringOthersBack = await setAll();
  expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 0, companiesInterested: 0 });
  await confirmAddress(operator.db, ada);
  expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 1, companiesInterested: 1 });
  expect(await isExact()).toBe(true);
  expect(await bringOthersBack()).toBe(1);
  expect(await snapshot()).toEqual(before);
});

test("confirming, setting aside and bringing back at once count everyone once", async () => {
  const ada = await adaAndBob();
  for (let turn = 0; turn < 10; turn += 1) {
    const bringAllBack = await setAll();
    await Promise.all([confirmAddress(operator.db, ada), bringAllBack(), setAll({ search: "ada" }), bringAllBack()]);
    await Promise.all([confirmAddress(operator.db, ada), bringAllBack()]);
    expect(await isExact()).toBe(true);
    for (const { id } of await readSetAside(operator.db)) await bringBack(operator.db, OPERATOR, id);
  }
  expect((await readTotals(operator.db.pool)).totalUsers).toBe(2);
});

describe("someone who is set aside", () => {
  test("is shown, and is told in their download", async () => {
    await adaAndBob();
    await setAll();
    const shown = await waitlistJson("show", ADA);
    expect(shown).toMatchObject({ signUp: { email: ADA, set_aside_at: expect.any(String) } });
    expect((await waitlist("show", ADA)).stdout).toMatch(/Set aside +20/);
    expect(JSON.stringify(await readDownload(operator.db, keyOf(ADA)))).toMatch(/"Set aside":"20/);
  });

  test("may move to another company, which counts them only once they are back", async () => {
    const ada = await adaAndBob();
    const bringAllBack = await setAll();
    await editPerson(operator.db, OPERATOR, ada, { company: "Initech" });
    expect(await isExact()).toBe(true);
    expect(await count("companies")).toBe(0);
    await bringAllBack();
    expect(await count("companies where key = 'initech'")).toBe(1);
    expect(await isExact()).toBe(true);
  });

  test("is erased for good, once from the totals, and webhooks learn about it", async () => {
    await adaAndBob();
    const bringOthersBack = await setAll();
    expect(await waitlistJson("erase", ADA, "--yes")).toMatchObject({ signUps: 1, consents: 1, quarantined: 0 });
    expect(await count("webhook_events where type = 'person.erased'")).toBe(1);
    expect(await count("mailboxes")).toBe(0);
    expect(await bringOthersBack()).toBe(1);
    expect(await count(`sign_ups where email = '${ADA}'`)).toBe(0);
    expect(await isExact()).toBe(true);
  });

  test("is gone if they are erased while they are set aside or brought back", async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      await operator.join(aSignUp({ email: ADA, company: "Acme" }), null);
      const bringAllBack = turn % 2 ? await setAll() : undefined;
      await Promise.all([bringAllBack ? bringAllBack() : setAll(), erase(operator.db, OPERATOR, keyOf(ADA), keys)]);
      expect(await count("sign_ups")).toBe(0);
    }
    expect(await isExact()).toBe(true);
  });

  test("is erased again if a restored backup brings them back, unless they joined since", async () => {
    const erasedAt = (email: string, at: string) => ({
      hash: addressHash(keys, keyOf(email)),
      erasedAt: new Date(at),
    });
    await adaAndBob();
    await setAll();
    const erasures = [erasedAt(ADA, "2999-01-01"), erasedAt("bob@example.com", "2020-01-01")];
    expect(await reapplyErasures(operator.db, OPERATOR, keys, erasures)).toBe(1);
    expect(await operator.db.selectFrom("sign_ups").select("email").execute()).toEqual([{ email: "bob@example.com" }]);
    expect(await isExact()).toBe(true);
  });

  test("is purged after 30 days, and webhooks learn about it", async () => {
    await adaAndBob();
    await setAll();
    const purgeNow = async () => {
      const preview = await previewPurge(operator.db, { keys });
      const purged = await purge(operator.db, OPERATOR, { keys }, preview.asOf);
      expect(purged.setAside).toBe(preview.setAside);
      return purged.setAside;
    };
    await ageSetAside(operator.db, "29 days 23 hours");
    expect(await purgeNow()).toBe(0);
    await ageSetAside(operator.db, "1 hour 1 minute");
    expect(await purgeNow()).toBe(2);
    expect(await count("sign_ups")).toBe(0);
    expect(await count("mailboxes")).toBe(0);
    expect(await count("webhook_events where type = 'person.erased'")).toBe(2);
    expect(await isExact()).toBe(true);
  });

  test("is counted once by the purge's preview, and deleted once, if two rules apply", async () => {
    await adaAndBob();
    await setAll();
    await operator.db.pool.query("update sign_ups set joined_at = '2020-06-01'");
    await ageSetAside(operator.db, "31 days");
    const rules = { LAUNCH_DATE: "2020-01-01", keys };
    const { asOf, people: _, ...preview } = await previewPurge(operator.db, rules);
    expect(preview).toMatchObject({ signUps: 2, setAside: 0 });
    expect(await purge(operator.db, OPERATOR, rules, asOf)).toEqual(preview);
  });
});
