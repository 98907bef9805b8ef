import { beforeAll, describe, expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { resendFor } from "#core/mail/queue/flag-mail.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { kinds, options, useTwoServers } from "#tests/support/two-servers.ts";

const { context, join, joinElsewhere } = useTwoServers();
const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

describe("a batch of concurrent sign-ups", () => {
  test("gives each sign-up its own outcome", async () => {
    const [ada, bob, cy] = [aSignUp(), aSignUp(), aSignUp()];
    await join(bob, null);
    const signUps = [ada, bob, aSignUp({ ...ada, email: ada.email.toUpperCase() }), cy, ada];
    const outcomes = await kinds(signUps.map((signUp) => join(signUp, null)));
    expect(outcomes.join()).toBe("joined,already-joined,already-joined,joined,already-joined");
    expect(await rows()).toHaveLength(3);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 3 } });
  });

  test("fails only the sign-up that can't be stored", async () => {
    const people = Array.from({ length: 33 }, () => aSignUp({ company: "Acme" }));
    const unstorable = aSignUp({ firstName: "nobody\u0000" });
    const outcomes = await Promise.allSettled(people.toSpliced(20, 0, unstorable).map((signUp) => join(signUp, null)));
    expect(outcomes.map(({ status }) => status).indexOf("rejected")).toBe(20);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(33);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 33 } });
  });

  test("returns totals that include each sign-up", async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => join(aSignUp({ company: "Acme" }), null)));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ kind: "joined", totals: { companiesInterested: 1 } });
    const last = await join(aSignUp({ company: "Umbrella" }), null);
    expect(last).toEqual({ kind: "joined", totals: { totalUsers: 41, companiesInterested: 2 } });
  });

  test("is retried after a deadlock with another transaction", async () => {
    await Promise.all([join(aSignUp({ company: "Acme" }), null), join(aSignUp({ company: "Zeta" }), null)]);
    const joining: ReturnType<typeof join>[] = [];
    await inTransaction(context.db.pool, async (client) => {
      await client.query("update companies set sign_ups = sign_ups where key = 'zeta'");
      joining.push(...["Acme", "Zeta"].map((company) => join(aSignUp({ company }), null)));
      await untilBlocked(context.db);
      // The batch holds acme and waits for zeta; this client holds zeta and now wants acme.
      await client.query("update companies set sign_ups = sign_ups where key = 'acme'");
    });
    expect(await kinds(joining)).toEqual(["joined", "joined"]);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 4 } });
  });
});

test("two servers writing concurrently accept each address once and keep the totals exact", async () => {
  const people = Array.from({ length: 3000 }, (_, i) =>
    aSignUp({ email: `Visitor${i % 2100}@Example.com`, company: `Company ${i % 97}`, newsletter: i % 3 === 0 }),
  );
  const outcomes = await kinds(people.map((signUp, i) => (i % 2 ? join : joinElsewhere)(signUp, null)));
  expect(outcomes.filter((kind) => kind === "joined")).toHaveLength(2100);
  expect(outcomes.filter((kind) => kind === "already-joined")).toHaveLength(900);
  const counted = { totalUsers: 2100, companiesInterested: 97 };
  expect(await verifyTotals(context.db)).toEqual({ kept: counted, counted, wrongCompanies: 0, exact: true });
});

describe("the consent ledger", () => {
  beforeAll(() => recordConsentWording(context.db));
  const ledger = () =>
    context.db
      .selectFrom("consents")
      .innerJoin("sign_ups", "sign_ups.id", "consents.sign_up_id")
      .innerJoin("consent_wordings", "consent_wordings.version", "consents.wording_version")
      .select(["email", "given", "consents.at", "wording", "consent_wordings.version"])
      .execute();

  test("records who agreed, when and to which wording, and has no entry for anyone who didn't", async () => {
    const ada = aSignUp({ newsletter: true });
    await Promise.all([join(ada, null), join(aSignUp(), null)]);
    expect(await ledger()).toEqual([{ email: ada.email, given: true, at: expect.any(Date), ...NEWSLETTER_CONSENT }]);
  });

  test("is not changed by a duplicate sign-up", async () => {
    const ada = aSignUp();
    await join(ada, null);
    await Promise.all([join({ ...ada, newsletter: true }, null), join({ ...ada, newsletter: true }, null)]);
    expect(await ledger()).toEqual([]);
    expect(await rows()).toMatchObject([{ newsletter: false }]);
  });

  test("is append-only", async () => {
    await join(aSignUp({ newsletter: true }), null);
    await expect(context.db.updateTable("consents").set({ given: false }).execute()).rejects.toThrow("append-only");
  });

  test("rejects a changed wording under an existing version", async () => {
    const changed = { ...NEWSLETTER_CONSENT, wording: "Anything" };
    await expect(recordConsentWording(context.db, changed)).rejects.toThrow("New words need a new version");
  });
});

test("a failure to flag another email as due is reported and leaves the outcome already-joined", async () => {
  const faults: unknown[] = [];
  const withMail = openWaitlist(context.db, {
    ...options(context.db),
    resend: resendFor(MAIL_ON),
    onFault: (reason) => faults.push(reason),
  });
  const ada = aSignUp();
  expect(await kinds([withMail.join(ada, null)])).toEqual(["joined"]);
  await context.db.pool.query(`
    create function fails() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$;
    create trigger fails before update of mail_network on sign_ups execute function fails()`);
  try {
    expect(await kinds([withMail.join(ada, null)])).toEqual(["already-joined"]);
    expect(faults).toMatchObject([{ message: "out of order" }]);
  } finally {
    await context.db.pool.query("drop trigger fails on sign_ups; drop function fails");
  }
});
