import { expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { erase } from "#core/retention/erase.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { prepareNews } from "#tests/support/messages.ts";
import { addPeople } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

test.each<[string, (id: string) => Promise<unknown>]>([
  ["unsubscribes", (id) => stopConfirmations(context.db, { id, email_key: keyOf("ada@example.com") })],
  ["is put into an audience", () => prepareNews(context.db, {})],
])("someone who is erased and %s at the same time is gone, without an error", async (what, act) => {
  const [id = ""] = await addPeople(context.db, [{ email: "ada@example.com", confirmed: !what.startsWith("unsub") }]);
  let acting: Promise<unknown> | undefined;
  await inTransaction(context.db.pool, async (client) => {
    await client.query("delete from sign_ups where id = $1", [id]);
    acting = act(id);
    await untilBlocked(context.db);
  });
  await acting;
  expect(await context.db.selectFrom("deliveries").selectAll().execute()).toEqual([]);
});

test("someone who is erased while they subscribe leaves no entry in the consent ledger", async () => {
  await addPeople(context.db, [{ email: "ada@example.com" }]);
  let erasing: ReturnType<typeof erase> | undefined;
  await inTransaction(context.db.pool, async (client) => {
    await client.query("update sign_ups set newsletter = true");
    erasing = erase(context.db, OPERATOR, keyOf("ada@example.com"), createKeys("a secret of 32 characters or more"));
    await untilBlocked(context.db);
    const columns = "sign_up_id, wording_version, given";
    await client.query(
      `insert into consents (${columns}) select id, ${NEWSLETTER_CONSENT.version}, true from sign_ups`,
    );
  });
  expect(await erasing).toEqual({ signUps: 1, consents: 1, quarantined: 0 });
  expect(await context.db.selectFrom("consents").selectAll().execute()).toEqual([]);
});
