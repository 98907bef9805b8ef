import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { erase } from "#core/retention/erase.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { type Join, openWaitlist } from "#core/sign-ups/join.ts";
import { readTotals } from "#core/sign-ups/totals.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
let join: Join;
beforeAll(() => {
  ({ join } = openWaitlist(context.db, { maxQueueLength: 100, totals: () => readTotals(context.db.pool) }));
});
beforeEach(() => emptyWaitlist(context.db));

const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

describe("the consent ledger", () => {
  const ledger = () =>
    context.db
      .selectFrom("consents")
      .innerJoin("sign_ups", "sign_ups.id", "consents.sign_up_id")
      .innerJoin("consent_wordings", "consent_wordings.version", "consents.wording_version")
      .select([
        "sign_ups.email",
        "consents.given",
        "consents.at",
        "consent_wordings.wording",
        "consent_wordings.version",
      ])
      .execute();

  beforeAll(() => recordConsentWording(context.db));

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
    await expect(context.db.updateTable("consents").set({ given: false }).execute()).rejects.toThrow("only grows");
  });

  test("keeps no entry of someone who is erased while they subscribe", async () => {
    const ada = aSignUp();
    await join(ada, null);
    const client = await context.db.pool.connect();
    await client.query("begin");
    await client.query("update sign_ups set newsletter = true");
    const erasing = erase(context.db, OPERATOR, ada.email, Buffer.alloc(32));
    await untilBlocked(context.db);
    await client.query(
      `insert into consents (sign_up_id, wording_version, given) select id, ${NEWSLETTER_CONSENT.version}, true from sign_ups`,
    );
    await client.query("commit");
    client.release();
    expect(await erasing).toEqual({ signUps: 1, consents: 1, quarantined: 0 });
    expect(await context.db.selectFrom("consents").selectAll().execute()).toEqual([]);
  });

  test("rejects a changed wording under an existing version", async () => {
    await expect(recordConsentWording(context.db, { ...NEWSLETTER_CONSENT, wording: "Anything" })).rejects.toThrow(
      "New words need a new version",
    );
  });
});
