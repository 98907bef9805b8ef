import { expect, onTestFinished, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import { readMail } from "#core/mail/switch.ts";
import { countOutdated } from "#core/members/verify-derived.ts";
import { readTotals, verifyTotals } from "#core/people/totals.ts";
import { erase } from "#core/retention/erase.ts";
import { dropQuarantined, release } from "#core/sign-ups/quarantine.ts";
import { sentences } from "#tests/support/activity.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator } from "#tests/support/cli.ts";
import { MAIL_ON, switchMail } from "#tests/support/mail-on.ts";
import { aSignUp, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();

const quarantined = async () => (await operator.db.selectFrom("quarantine").select("id").execute()).map(({ id }) => id);
const catchOne = (changes = {}) => operator.join(aSignUp({ website: "autofilled", ...changes }), null);

test("release adds people once and keeps the sign-up of anyone who has joined since", async () => {
  const bob = aSignUp({ website: "x" });
  await catchOne({ company: "Acme", newsletter: true });
  await operator.join(bob, null);
  await operator.join({ ...bob, website: "" }, null);
  const caught = await quarantined();
  expect(caught).toHaveLength(2);
  expect(await release(operator.db, OPERATOR, caught, undefined)).toEqual({ joined: 1, known: 1 });
  expect(await countOutdated(operator.db)).toMatchObject({ search_words: 0 });
  expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 2, companiesInterested: 1 });
  const released = await operator.db.selectFrom("sign_ups").select("newsletter").execute();
  expect(released).toEqual([{ newsletter: false }, { newsletter: false }]);
  expect(await quarantined()).toEqual([]);
  expect(await release(operator.db, OPERATOR, caught, undefined)).toEqual({ joined: 0, known: 0 });
});

test("someone who is released keeps the day they came, and their activity shows the release", async () => {
  await catchOne({ email: "ada@example.com" });
  await operator.db.pool.query("update quarantine set caught_at = '2026-11-01 10:00Z'");
  await catchOne({ email: "ada@example.com" });
  await catchOne({ email: "grace@example.com" });
  await release(operator.db, OPERATOR, await quarantined(), undefined);
  const [ada] = await operator.db.selectFrom("sign_ups").select(["id", "joined_at"]).execute();
  expect(ada?.joined_at).toEqual(new Date("2026-11-01T10:00Z"));
  expect(await sentences(operator.db, { person: ada?.id })).toEqual(["released ada@example.com (from quarantine)"]);
  expect(await sentences(operator.db)).toEqual(["released 2 entries from quarantine"]);
});

test("a release that fails halfway changes neither the list nor the quarantine, and leaves no activity", async () => {
  await catchOne();
  await operator.db.pool.query(`
    create function fails() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
    create trigger fails before delete on quarantine execute function fails()`);
  onTestFinished(async () => {
    await operator.db.pool.query("drop trigger fails on quarantine; drop function fails");
  });
  await expect(release(operator.db, OPERATOR, await quarantined(), undefined)).rejects.toThrow("disk full");
  expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 0, companiesInterested: 0 });
  expect(await quarantined()).toHaveLength(1);
  expect(await operator.db.selectFrom("activity").selectAll().execute()).toEqual([]);
});

test.each([true, false])("release asks people to confirm only if the servers send mail: %s", async (isOn) => {
  await switchMail(operator.db, isOn);
  await catchOne();
  await release(operator.db, OPERATOR, await quarantined(), resendFor(await readMail(operator.db)));
  expect(await operator.db.selectFrom("sign_ups").select("mail_network").execute()).toEqual([
    { mail_network: isOn ? 0 : null },
  ]);
});

test("a person released and erased concurrently is gone", async () => {
  await switchMail(operator.db, true);
  for (let turn = 0; turn < 20; turn += 1) {
    const email = "ada@example.com";
    await catchOne({ email });
    await Promise.all([
      release(operator.db, OPERATOR, await quarantined(), resendFor(MAIL_ON)),
      erase(operator.db, OPERATOR, keyOf(email), createKeys(SECRET)),
    ]);
    expect(await operator.db.selectFrom("sign_ups").select("email").execute()).toEqual([]);
    expect(await quarantined()).toEqual([]);
  }
  expect(await verifyTotals(operator.db)).toMatchObject({ exact: true });
});

test("drop deletes only these entries", async () => {
  for (let turn = 0; turn < 3; turn += 1) await catchOne();
  const [oldest = "", ...others] = await quarantined();
  expect(await dropQuarantined(operator.db, OPERATOR, others)).toBe(2);
  expect(await quarantined()).toEqual([oldest]);
});
