import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { onePerson } from "#core/database/transaction.ts";
import { lastMails, type ReportKind, reportMails } from "#core/mail/suppression/reports.ts";
import { importSuppressions } from "#core/mail/suppression/suppressions.ts";
import { setNewsletter } from "#core/members/member.ts";
import { readMessage } from "#core/messages/messages.ts";
import { countMatching } from "#core/people/filter.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addPeople } from "#tests/support/people.ts";
import { keyOf } from "#tests/support/sign-ups.ts";

const mail = useMail();
const ADA = "ada@example.com";

/** Sends a message to Ada and Bob, both subscribed, and returns the ids of all three. */
async function sendToTwo(outcome: "sent" | "bounced" = "sent") {
  const [ada = "", bob = ""] = await addPeople(mail.db, [{ email: ADA }, { email: "bob@example.com" }]);
  for (const id of [ada, bob]) {
    await mail.db
      .insertInto("consents")
      .values({ sign_up_id: id, wording_version: NEWSLETTER_CONSENT.version, given: true })
      .execute();
  }
  const message = await sendNews(mail.db);
  await mail.pass("1 minute");
  await mail.deliver(outcome);
  return { message, ada, bob };
}
const report = (kind: ReportKind, person: string, by = "ses") =>
  mail.db
    .transaction()
    .execute((transaction) => reportMails(onePerson(transaction), kind, by, lastMails(sql`select ${person}::bigint`)));
async function* file() {
  yield `${ADA}\n`;
}
const readAda = () =>
  mail.db
    .selectFrom("sign_ups")
    .innerJoin("deliveries", "sign_up_id", "id")
    .select(["suppressed_at", "newsletter", "mail_network", "state", "reason", "reported_by"])
    .where("email_key", "=", keyOf(ADA))
    .executeTakeFirst();
const progress = async (id: string) => (await readMessage(mail.db, id))?.progress;

describe("a report on a mail", () => {
  const by: Record<string, (message: { ada: string }) => Promise<unknown>> = {
    smtp: async () => {},
    ses: ({ ada }) => report("bounce", ada),
    import: () => importSuppressions(mail.db, OPERATOR, file(), "bounced"),
  };
  test.each(Object.entries(by))(
    "of a bounce from %s rejects the address and counts for its message",
    async (from, act) => {
      const sent = await sendToTwo(from === "smtp" ? "bounced" : "sent");
      await mail.db.pool.query("update sign_ups set mail_network = 0 where suppressed_at is null");
      await act(sent);
      const state = { suppressed_at: expect.any(Date), newsletter: true, mail_network: null, state: "bounced" };
      expect(await readAda()).toEqual({ ...state, reason: null, reported_by: from });
      expect(await progress(sent.message)).toMatchObject({ bounced: from === "smtp" ? 2 : 1 });
    },
  );

  test.each(["ses", "import"])("of a complaint from %s also withdraws the newsletter in the ledger", async (from) => {
    const { message, ada } = await sendToTwo();
    const complain = () =>
      from === "ses" ? report("complaint", ada) : importSuppressions(mail.db, OPERATOR, file(), "complained");
    await complain();
    expect(await readAda()).toMatchObject({ suppressed_at: expect.any(Date), newsletter: false, state: "complained" });
    expect(await verifyConsents(mail.db)).toEqual({ orphans: 0, withoutWording: 0, contradictions: 0 });
    expect(await countMatching(mail.db, { unsubscribed: true })).toBe(1);
    expect(await progress(message)).toMatchObject({ sent: 1, complained: 1 });
    expect(await complain()).toSatisfy(
      (again: string[] | { changed: number }) => ("changed" in again ? again.changed : again.length) === 0,
    );
  });

  test("is about the last mail before it, and about none older than 30 days", async () => {
    const { message, ada } = await sendToTwo();
    await mail.pass("2 days");
    const later = await sendNews(mail.db);
    await mail.deliver();
    const before = lastMails(sql`select ${ada}::bigint`, sql`now() - interval '1 day'`);
    expect(await reportMails(onePerson(mail.db), "bounce", "ses", before)).toEqual([ada]);
    expect([await progress(message), await progress(later)]).toMatchObject([{ bounced: 1 }, { bounced: 0 }]);
    await mail.pass("31 days");
    expect(await report("complaint", ada)).toEqual([]);
  });

  test("of a bounce changes nothing for someone who has confirmed since", async () => {
    const { ada } = await sendToTwo();
    await mail.db.pool.query("update sign_ups set confirmed_at = now()");
    await report("bounce", ada);
    expect(await readAda()).toMatchObject({ suppressed_at: null, state: "bounced" });
  });
});

test("a member who unsubscribes counts for the last message, and stays in its results after leaving", async () => {
  const { message, ada } = await sendToTwo();
  await setNewsletter(mail.db, null, ada, false);
  await mail.db.deleteFrom("sign_ups").where("id", "=", ada).execute();
  expect(await readMessage(mail.db, message)).toMatchObject({ progress: { sent: 2 }, results: { unsubscribed: 1 } });
});
