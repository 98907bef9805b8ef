import { beforeEach, describe, expect, test } from "vitest";
import { createMailQueue } from "#core/mail/choose-mails.ts";
import { recordOutcome } from "#core/mail/deliveries.ts";
import { stopConfirmations } from "#core/mail/flag-mail.ts";
import { confirmAddress } from "#core/members/member.ts";
import { importSuppressions } from "#core/people/suppressions.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { createMailCalendar, type MailCalendar } from "#tests/support/mail-calendar.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const ADA = "ada@example.com";
const DAY = 24 * 60;
const context = useTestDatabase();
let mail: MailCalendar;
beforeEach(async () => {
  await emptyWaitlist(context.db);
  await recordConsentWording(context.db);
  mail = createMailCalendar(context.db);
  await mail.join(ADA);
});

const readAda = () => context.db.selectFrom("sign_ups").selectAll().executeTakeFirstOrThrow();

describe("an address that its mail server rejected", () => {
  test.each(["join", "askForLink"] as const)("is tried again after 30 days: %s", async (ask) => {
    mail.rejected.add(ADA);
    await mail.pass(0);
    expect((await readAda()).rejected_at).not.toBeNull();
    mail.rejected.clear();
    for (const minutes of [0, 30 * DAY - 1, 1]) {
      expect(mail.sent).toHaveLength(0);
      await mail.pass(minutes);
      await mail[ask](ADA);
      await mail.pass(0);
    }
    expect(mail.sent).toMatchObject([{ email: ADA, minute: 30 * DAY }]);
    expect((await readAda()).rejected_at).toBeNull();
  });

  test("isn't, if an operator imported it", async () => {
    await mail.pass(0);
    const file = async function* () {
      yield `email\n${ADA}\n`;
    };
    await importSuppressions(context.db, OPERATOR, file(), "rejected");
    await mail.pass(60 * DAY);
    await mail.join(ADA);
    await mail.askForLink(ADA);
    await mail.pass(0);
    expect(mail.sent).toHaveLength(1);
  });

  test.each<[string, (ada: Awaited<ReturnType<typeof readAda>>) => Promise<void>]>([
    ["was confirmed meanwhile", ({ id }) => confirmAddress(context.db, id)],
    ["was unsubscribed meanwhile", (ada) => stopConfirmations(context.db, ada)],
  ])("isn't flagged if it %s", async (_what, change) => {
    const { mails } = await createMailQueue(context.db, 10)(1);
    await change(await readAda());
    for (const claimed of mails) await recordOutcome(context.db, claimed, "rejected");
    expect(mails).toHaveLength(1);
    expect((await readAda()).rejected_at).toBeNull();
  });
});
